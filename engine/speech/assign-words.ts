import type { SpeechWindow, WindowPiece } from '#engine/audio/windows.ts'
import type { HeardSegment, HeardWord } from './backend/speech-backend.ts'

/** A word, the segment it was written in and the piece of the window it was said in. */
export interface PlacedWord {
  word: HeardWord
  segment: number
  piece: number
  endsSegment: boolean
}

// What a cut at a natural place may be further off, in milliseconds of the model's times, which are right to a few tenths of a second.
const segmentBonusMs = 500
const sentenceBonusMs = 350
const clauseBonusMs = 150
// A segment that begins where the one before ends leaves open when its first word is said: what lies between counts for less.
const openWeight = 0.4
// How much it counts that a piece gets as much text as fits into it.
const fitWeight = 0.5
const maxMisfitMs = 1000

/**
 * Tells for each word which piece of a packed window it was said in. The model hears the pieces as one recording and may write words of
 * two in one segment; between two pieces the words are cut where their times come nearest to the silence, preferably at the end of a
 * segment or sentence.
 */
export function assignWords(segments: HeardSegment[], { pieces }: SpeechWindow): PlacedWord[] {
  const words = segments.flatMap(({ words }, segment) =>
    words.map((word, index) => ({ word, segment, piece: 0, endsSegment: index === words.length - 1 })),
  )
  const scale = msPerLetter(words, pieces)
  let cut = 0
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1]
    const end = next ? nearestCut({ segments, words, from: cut, piece, next, scale }) : words.length
    for (; cut < end; cut += 1) {
      const placed = words[cut]
      if (placed) placed.piece = index
    }
  }
  return words
}

/** Speech of the window per letter of its text. */
function msPerLetter(words: PlacedWord[], pieces: WindowPiece[]): number {
  const letters = words.reduce((sum, { word }) => sum + word.text.length, 0)
  return pieces.reduce((sum, piece) => sum + speechMs(piece), 0) / Math.max(1, letters)
}

function speechMs({ speechStartMs, speechEndMs }: WindowPiece): number {
  return speechEndMs - speechStartMs
}

interface Border {
  segments: HeardSegment[]
  words: PlacedWord[]
  /** Words before it belong to earlier pieces. */
  from: number
  piece: WindowPiece
  next: WindowPiece
  /** Milliseconds of speech per letter. */
  scale: number
}

/** How many words lie before the silence between two pieces. */
function nearestCut(border: Border): number {
  const { words, from, piece, next, scale } = border
  const silence = { startMs: toWindowMs(piece, piece.speechEndMs), endMs: toWindowMs(next, next.speechStartMs) }
  let letters = 0
  let best = from
  let bestCost = Number.POSITIVE_INFINITY
  for (let cut = from; cut <= words.length; cut += 1) {
    if (cut > from) letters += words[cut - 1]?.word.text.length ?? 0
    const misfitMs = Math.min(maxMisfitMs, Math.abs(letters * scale - speechMs(piece)))
    const cost = offsetMs(border, cut, silence) + fitWeight * misfitMs - bonusMs(words[cut - 1])
    if (cost >= bestCost) continue
    best = cut
    bestCost = cost
  }
  return best
}

function toWindowMs({ sourceStartMs, windowStartMs }: WindowPiece, ms: number): number {
  return ms - sourceStartMs + windowStartMs
}

interface Times {
  startMs: number
  endMs: number
}

/** How far the time between two words is from the silence. */
function offsetMs({ segments, words }: Border, cut: number, silence: Times): number {
  const [before, after] = [words[cut - 1], words[cut]]
  if (!before || !after) return distanceMs(before?.word.endMs ?? after?.word.startMs ?? 0, silence)
  const [ends, begins] = [segments[before.segment], segments[after.segment]]
  if (!before.endsSegment || !ends || !begins) return distanceMs((before.word.endMs + after.word.startMs) / 2, silence)
  const isOpen = begins.startMs - ends.endMs < 50 && ends.endMs < silence.startMs
  return distanceMs(ends.endMs, silence) * (isOpen ? openWeight : 1)
}

function distanceMs(atMs: number, { startMs, endMs }: Times): number {
  return Math.max(0, startMs - atMs, atMs - endMs)
}

function bonusMs(before: PlacedWord | undefined): number {
  if (!before) return 0
  if (before.endsSegment) return segmentBonusMs
  if (/[.?!؟۔…]["'»)]*$/u.test(before.word.text)) return sentenceBonusMs
  return /[,;:،؛]$/u.test(before.word.text) ? clauseBonusMs : 0
}
