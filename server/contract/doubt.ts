import type { Segment, TranscriptionResult, Word } from './transcription.ts'

/** A word below this confidence is uncertain. */
export const uncertainWordBelow = 0.4

/** A line below this confidence is uncertain as a whole. */
export const uncertainSegmentBelow = 0.6

/** An uncertain word of at least this many letters makes its line uncertain: shorter ones rarely change what was said. */
export const minContentWordLetters = 4

const letterOrDigit = /[\p{L}\p{N}]/u
const lettersAndDigits = /[\p{L}\p{N}]/gu
const trailingPunctuation = /[^\p{L}\p{N}\p{M}]*$/u

/** Returns whether the model was unsure of a word. Punctuation by itself and words without confidence are never uncertain. */
export function isUncertainWord({ text, confidence }: Pick<Word, 'text' | 'confidence'>): boolean {
  return confidence !== undefined && confidence < uncertainWordBelow && letterOrDigit.test(text)
}

/** Returns whether a line should be checked: uncertain as a whole, or containing an uncertain content word. False without confidences. */
export function isUncertainSegment({ confidence, words = [] }: Pick<Segment, 'confidence' | 'words'>): boolean {
  if (confidence !== undefined && confidence < uncertainSegmentBelow) return true
  return words.some((word) => isUncertainWord(word) && isContentWord(word))
}

/** Returns whether a transcript has confidences; those of older versions and of some engines do not. */
export function hasConfidences({ segments }: Pick<TranscriptionResult, 'segments'>): boolean {
  return segments.some(
    ({ confidence, words = [] }) => confidence !== undefined || words.some((word) => word.confidence !== undefined),
  )
}

/** A piece of a segment's text: an uncertain word with its confidence, or the text between two of them. */
export interface TextPiece {
  text: string
  confidence: number | null
}

/**
 * Splits a segment's text at its uncertain words. Joined, the pieces are the complete text; a word that does not occur in the text
 * is skipped.
 */
export function splitAtDoubt({ text, words = [] }: Pick<Segment, 'text' | 'words'>): TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  let searchFrom = 0
  for (const word of words) {
    const wanted = word.text.trim()
    const start = wanted ? text.indexOf(wanted, searchFrom) : -1
    if (start < 0) continue
    searchFrom = start + wanted.length
    if (!isUncertainWord(word)) continue
    if (start > from) pieces.push({ text: text.slice(from, start), confidence: null })
    pieces.push({ text: wanted, confidence: word.confidence ?? null })
    from = searchFrom
  }
  if (from < text.length) pieces.push({ text: text.slice(from), confidence: null })
  return pieces
}

/** Follows an uncertain word directly, or an uncertain line after a space, in an exported text. */
export const doubtMark = '[?]'

/** Returns a segment's text with `[?]` after each uncertain word, or at the end of a line that is uncertain as a whole. */
export function markDoubt(segment: Pick<Segment, 'text' | 'words' | 'confidence'>): string {
  const pieces = splitAtDoubt(segment)
  if (pieces.some(({ confidence }) => confidence !== null)) {
    return pieces.map(({ text, confidence }) => (confidence === null ? text : markWord(text))).join('')
  }
  return isUncertainSegment(segment) && segment.text.trim() ? `${segment.text.trimEnd()} ${doubtMark}` : segment.text
}

function isContentWord({ text }: Pick<Word, 'text'>): boolean {
  return (text.match(lettersAndDigits)?.length ?? 0) >= minContentWordLetters
}

/** Keeps the punctuation after the mark: `bridge[?].` */
function markWord(text: string): string {
  return text.replace(trailingPunctuation, (punctuation) => `${doubtMark}${punctuation}`)
}
