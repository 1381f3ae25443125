import type { TranscribedWord } from '../backend/speech-backend.ts'
import { spreadWords } from '../spread-words.ts'
import type { TokenizedWord } from './token-table.ts'

/** Duration of an encoder position. */
const positionMs = 20
/** A word longer than this and longer than twice the median of its segment contains a pause. */
const maxWordMs = 1000
/** The same for the first word of a sentence, whose alignment begins where the previous word ends, often with a pause. */
const maxFirstWordMs = 500
/** Upper limit of the median: the few words of a segment may all be long (OpenAI's whisper/timing.py). */
const maxMedianMs = 700
const endOfSentence = /[.?!؟۔…。！？]["'»)]*$/u
const endsWithPunctuation = /[\p{L}\p{M}\p{N}].*\p{P}$/u

export interface WordTiming {
  /** Position at which each token of the text starts (see `alignTokens`); undefined if the model has no heads for this. */
  starts: number[] | undefined
  /** Probability of each token, 0 to 1. */
  probabilities: number[]
  segment: { startMs: number; endMs: number }
  /** Position at which the last token of `starts` ends; the end of the segment by default. */
  endPosition?: number
}

interface Span {
  startMs: number
  endMs: number
}

/**
 * Returns the words of a segment with times inside it, ascending. A word starts with its first token and ends where the next word, or the
 * punctuation at its own end, starts: punctuation tokens last as long as the pause. Without token times, the words are spread over the
 * segment in proportion to their letters. The confidence is the mean probability of the tokens; null if any is unknown.
 */
export function assignWordTimes(words: TokenizedWord[], timing: WordTiming): TranscribedWord[] {
  const named = words.map(({ text, tokens }) => ({ text: text.trim(), tokens })).filter(({ text }) => text !== '')
  const texts = named.map(({ text }) => text)
  const spans = timing.starts
    ? removePauses(texts, clampSpans(readSpans(named, timing.starts, timing.endPosition), timing.segment))
    : spreadWords(texts, timing.segment)
  return named.map(({ text, tokens }, at) => {
    const { startMs, endMs } = spans[at] ?? timing.segment
    return { text, startMs, endMs, confidence: meanProbability(tokens, timing.probabilities) }
  })
}

function readSpans(words: TokenizedWord[], starts: number[], endPosition = Number.POSITIVE_INFINITY): Span[] {
  const startOf = (token: number) => (starts[token] ?? endPosition) * positionMs
  return words.map(({ text, tokens }) => {
    const [first = starts.length] = tokens
    const last = tokens.at(-1) ?? first
    const isPunctuation = last > first && endsWithPunctuation.test(text)
    return { startMs: startOf(first), endMs: startOf(isPunctuation ? last : last + 1) }
  })
}

function clampSpans(spans: Span[], { startMs, endMs }: Span): Span[] {
  let atMs = startMs
  return spans.map((span) => {
    const wordStartMs = Math.max(atMs, Math.min(endMs, span.startMs))
    atMs = Math.max(wordStartMs, Math.min(endMs, span.endMs))
    return { startMs: wordStartMs, endMs: atMs }
  })
}

/**
 * Shortens words that are implausibly long: the pause comes before the first word of a sentence and after any other word (as in OpenAI's
 * whisper/timing.py).
 */
function removePauses(texts: string[], spans: Span[]): Span[] {
  const durations = spans.map(({ startMs, endMs }) => endMs - startMs)
  const twiceMedianMs = 2 * Math.min(maxMedianMs, median(durations.filter((ms) => ms > 0)))
  return spans.map(({ startMs, endMs }, at) => {
    const isFirst = at === 0 || endOfSentence.test(texts[at - 1] ?? '')
    const maxMs = Math.max(isFirst ? maxFirstWordMs : maxWordMs, twiceMedianMs)
    if (isFirst) return { startMs: Math.max(startMs, endMs - maxMs), endMs }
    return { startMs, endMs: Math.min(endMs, startMs + maxMs) }
  })
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0
  return (upper + (sorted[Math.ceil(sorted.length / 2) - 1] ?? 0)) / 2
}

function meanProbability(tokens: number[], probabilities: number[]): number | null {
  const known = tokens.flatMap((token) => probabilities[token] ?? [])
  if (known.length === 0 || known.length < tokens.length) return null
  return known.reduce((sum, value) => sum + value, 0) / known.length
}
