import type { SpeechWindow, WindowPiece } from '#engine/audio/windows.ts'
import type { TranscribedSegment, TranscribedWord } from './backend/speech-backend.ts'

/** A word with the index of its segment and of the piece of the window in which it was spoken. */
export interface PlacedWord {
  word: TranscribedWord
  segment: number
  piece: number
  endsSegment: boolean
}

// How much farther from the silence a cut at a natural place may be. The model's timestamps are accurate to a few tenths of a second.
const segmentBonusMs = 500
const sentenceBonusMs = 350
const clauseBonusMs = 150
// A segment that starts where the previous one ends does not say when its first word starts, so the distance counts less.
const contiguousWeight = 0.4
// Weight of the difference between the length of a piece and the length of its text.
const misfitWeight = 0.5
const maxMisfitMs = 1000

/**
 * Assigns each word to the piece of a packed window in which it was spoken. To the model the pieces are one recording, and one segment may
 * contain words from two of them; the words are cut where their timestamps are closest to the silence between two pieces, preferably at
 * the end of a segment or sentence.
 */
export function assignWords(segments: TranscribedSegment[], { pieces }: SpeechWindow): PlacedWord[] {
  const words = segments.flatMap(({ words }, segment) =>
    words.map((word, index) => ({ word, segment, piece: 0, endsSegment: index === words.length - 1 })),
  )
  const msPerLetter = measureMsPerLetter(words, pieces)
  let cut = 0
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1]
    const end = next ? findNearestCut({ segments, words, from: cut, piece, next, msPerLetter }) : words.length
    for (; cut < end; cut += 1) {
      const placed = words[cut]
      if (placed) placed.piece = index
    }
  }
  return words
}

/** Returns the duration of the window's speech per letter of its text. */
function measureMsPerLetter(words: PlacedWord[], pieces: WindowPiece[]): number {
  const letters = words.reduce((sum, { word }) => sum + word.text.length, 0)
  return pieces.reduce((sum, piece) => sum + speechMs(piece), 0) / Math.max(1, letters)
}

function speechMs({ speechStartMs, speechEndMs }: WindowPiece): number {
  return speechEndMs - speechStartMs
}

interface Border {
  segments: TranscribedSegment[]
  words: PlacedWord[]
  /** Words before this index belong to earlier pieces. */
  from: number
  piece: WindowPiece
  next: WindowPiece
  /** Duration of speech per letter. */
  msPerLetter: number
}

/** Returns how many words precede the silence between two pieces. */
function findNearestCut(border: Border): number {
  const { words, from, piece, next, msPerLetter } = border
  const silence = { startMs: toWindowMs(piece, piece.speechEndMs), endMs: toWindowMs(next, next.speechStartMs) }
  let letters = 0
  let best = from
  let bestCost = Number.POSITIVE_INFINITY
  for (let cut = from; cut <= words.length; cut += 1) {
    if (cut > from) letters += words[cut - 1]?.word.text.length ?? 0
    const misfitMs = Math.min(maxMisfitMs, Math.abs(letters * msPerLetter - speechMs(piece)))
    const cost = offsetMs(border, cut, silence) + misfitWeight * misfitMs - bonusMs(words[cut - 1])
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

/** Returns the distance between the cut and the silence. */
function offsetMs({ segments, words }: Border, cut: number, silence: Times): number {
  const [before, after] = [words[cut - 1], words[cut]]
  if (!before || !after) return distanceMs(before?.word.endMs ?? after?.word.startMs ?? 0, silence)
  const [ends, begins] = [segments[before.segment], segments[after.segment]]
  if (!before.endsSegment || !ends || !begins) return distanceMs((before.word.endMs + after.word.startMs) / 2, silence)
  const isContiguous = begins.startMs - ends.endMs < 50 && ends.endMs < silence.startMs
  return distanceMs(ends.endMs, silence) * (isContiguous ? contiguousWeight : 1)
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
