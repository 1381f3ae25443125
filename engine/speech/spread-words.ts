import type { TranscribedWord } from './backend/speech-backend.ts'

interface Span {
  startMs: number
  endMs: number
}

/** Splits a text into words and spreads them over its duration in proportion to their letters. */
export function spreadTextOverSpan(text: string, span: Span): TranscribedWord[] {
  return spreadWords(
    text.split(/\s+/u).filter((word) => word !== ''),
    span,
  )
}

/** Spreads words over a duration in proportion to their letters. */
export function spreadWords(words: string[], { startMs, endMs }: Span): TranscribedWord[] {
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  const msPerLetter = (endMs - startMs) / Math.max(1, letters)
  let atMs = startMs
  return words.map((word) => {
    const wordStartMs = atMs
    // Rounding must not make the last word end after the span.
    atMs = Math.min(endMs, atMs + word.length * msPerLetter)
    return { text: word, startMs: wordStartMs, endMs: atMs, confidence: null }
  })
}
