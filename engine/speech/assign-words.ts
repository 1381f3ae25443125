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

/**
 * Tells for each word which piece of a packed window it was said in. The model hears the pieces as one recording and may write words of
 * two in one segment; between two pieces the words are cut where their times come nearest to the silence, preferably at the end of a
 * segment or sentence.
 */
export function assignWords(segments: HeardSegment[], { pieces }: SpeechWindow): PlacedWord[] {
  const words = segments.flatMap(({ words }, segment) =>
    words.map((word, index) => ({ word, segment, piece: 0, endsSegment: index === words.length - 1 })),
  )
  let cut = 0
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1]
    const end = next ? nearestCut(words, cut, borderMs(piece, next)) : words.length
    for (; cut < end; cut += 1) {
      const placed = words[cut]
      if (placed) placed.piece = index
    }
  }
  return words
}

/** The middle of the silence between two pieces, in the window's time. */
function borderMs(piece: WindowPiece, next: WindowPiece): number {
  return (toWindowMs(piece, piece.speechEndMs) + toWindowMs(next, next.speechStartMs)) / 2
}

function toWindowMs({ sourceStartMs, windowStartMs }: WindowPiece, ms: number): number {
  return ms - sourceStartMs + windowStartMs
}

/** How many words lie before the border, at least `from`. */
function nearestCut(words: PlacedWord[], from: number, atMs: number): number {
  let best = from
  let bestCost = Number.POSITIVE_INFINITY
  for (let cut = from; cut <= words.length; cut += 1) {
    const cost = Math.abs(cutMs(words, cut) - atMs) - bonusMs(words[cut - 1])
    if (cost >= bestCost) continue
    best = cut
    bestCost = cost
  }
  return best
}

/** The time between the word before a cut and the one behind it. */
function cutMs(words: PlacedWord[], cut: number): number {
  const before = words[cut - 1]?.word
  const after = words[cut]?.word
  if (before && after) return (before.endMs + after.startMs) / 2
  return before?.endMs ?? after?.startMs ?? 0
}

function bonusMs(before: PlacedWord | undefined): number {
  if (!before) return 0
  if (before.endsSegment) return segmentBonusMs
  if (/[.?!؟۔…]["'»)]*$/u.test(before.word.text)) return sentenceBonusMs
  return /[,;:،؛]$/u.test(before.word.text) ? clauseBonusMs : 0
}
