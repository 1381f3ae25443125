import { editDistance } from '#contract/edit-distance.ts'
import { seededRandom } from '#engine/speech/seeded-random.ts'
import type { SpeechMetrics, TranslationMetrics, MetricEstimate } from '../models/evaluations.ts'
import { addChrfCounts, chrfScore, countChrf, emptyChrfCounts } from './chrf.ts'
import { foldedWords, foldTranscript } from './fold-transcript.ts'
import type { ReferenceRecording, TextPair } from './sample.ts'

/** The result of a model for a recording or a text. */
export interface ItemResult<Item> {
  item: Item
  /** Empty if the model failed. */
  text: string
  hasFailed: boolean
  elapsedSeconds: number
}

export interface SpeechResult extends ItemResult<ReferenceRecording> {
  /** Length of the recording. */
  seconds: number
}

export interface TranslationItemResult extends ItemResult<TextPair> {
  /** Tokens of completions; undefined if the engine does not count them. */
  tokens?: number
}

/** Errors in a transcript compared with its reference, in words and characters after folding: see docs/accuracy.md. */
export interface ErrorCounts {
  words: number
  wordErrors: number
  letters: number
  letterErrors: number
}

const resamples = 1000

export function countErrors(reference: string, hypothesis: string): ErrorCounts {
  const words = foldedWords(reference)
  const letters = [...foldTranscript(reference)]
  return {
    words: words.length,
    wordErrors: editDistance(words, foldedWords(hypothesis)),
    letters: letters.length,
    letterErrors: editDistance(letters, [...foldTranscript(hypothesis)]),
  }
}

/** Computes speed, and word and character error rates with intervals over recordings; all results are in one language. */
export function computeSpeechMetrics(
  results: readonly SpeechResult[],
  { language, peakMemoryBytes }: { language: string; peakMemoryBytes: number },
): SpeechMetrics {
  const counts = results.map(({ item, text }) => countErrors(item.text, text))
  const seconds = sum(results, (result) => result.seconds)
  return {
    kind: 'speech',
    language,
    items: results.length,
    failed: results.filter(({ hasFailed }) => hasFailed).length,
    peakMemoryBytes,
    words: sum(counts, ({ words }) => words),
    seconds,
    wer: bootstrapInterval(counts, (drawn) =>
      percent(
        sum(drawn, (c) => c.wordErrors),
        sum(drawn, (c) => c.words),
      ),
    ),
    cer: bootstrapInterval(counts, (drawn) =>
      percent(
        sum(drawn, (c) => c.letterErrors),
        sum(drawn, (c) => c.letters),
      ),
    ),
    realTimeFactor: seconds === 0 ? 0 : sum(results, ({ elapsedSeconds }) => elapsedSeconds) / seconds,
  }
}

/** Computes speed, and chrF2 with its interval over lines; all results are for one pair. */
export function computeTranslationMetrics(
  results: readonly TranslationItemResult[],
  { language, peakMemoryBytes }: { language: string; peakMemoryBytes: number },
): TranslationMetrics {
  const counts = results.map(({ item, text }) => countChrf(text, item.reference))
  const elapsedSeconds = sum(results, (result) => result.elapsedSeconds)
  const rate = (amount: number) => (elapsedSeconds === 0 ? 0 : amount / elapsedSeconds)
  const hasTokens = results.length > 0 && results.every(({ tokens }) => tokens !== undefined)
  return {
    kind: 'translation',
    language,
    items: results.length,
    failed: results.filter(({ hasFailed }) => hasFailed).length,
    peakMemoryBytes,
    chrf: bootstrapInterval(counts, (drawn) => {
      const total = emptyChrfCounts()
      for (const count of drawn) addChrfCounts(total, count)
      return chrfScore(total)
    }),
    linesPerSecond: rate(results.length),
    charactersPerSecond: rate(sum(results, ({ text }) => text.length)),
    tokensPerSecond: hasTokens ? rate(sum(results, ({ tokens = 0 }) => tokens)) : null,
  }
}

function percent(errors: number, of: number): number {
  return of === 0 ? 0 : (100 * errors) / of
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}

/**
 * Returns the score of a sample with its 95% confidence interval: the 2.5th and 97.5th percentiles over samples of the same size, drawn
 * from the items with replacement (Efron's percentile bootstrap). Seeded, so that the same items give the same interval.
 */
export function bootstrapInterval<Item>(
  items: readonly Item[],
  score: (items: readonly Item[]) => number,
): MetricEstimate {
  const random = seededRandom(20_261_122)
  const draw = () => items.map((item) => items[Math.floor(random() * items.length)] ?? item)
  const scores = Array.from({ length: resamples }, () => score(draw())).toSorted((a, b) => a - b)
  const at = (share: number) => scores[Math.floor(share * (resamples - 1))] ?? 0
  return { value: score(items), low: at(0.025), high: at(0.975) }
}
