import { editDistance } from '#contract/edit-distance.ts'
import { bootstrap } from './bootstrap.ts'
import { addChrfCounts, chrfScore, countChrf, noChrfCounts } from './chrf.ts'
import type { SpeechFigures, TranslationFigures } from './evaluations.ts'
import { foldedWords, foldTranscript } from './fold-transcript.ts'
import type { SpokenText, TextPair } from './sample.ts'

/** What a model made of a recording or a text. */
export interface Outcome<Item> {
  item: Item
  /** Empty where the model failed. */
  text: string
  hasFailed: boolean
  elapsedS: number
}

export interface SpokenOutcome extends Outcome<SpokenText> {
  /** Length of the recording. */
  seconds: number
}

export interface PairOutcome extends Outcome<TextPair> {
  /** Of the answers; undefined where the engine does not count them. */
  tokens?: number
}

/** Errors of one text against what was said, in words and letters after folding: see docs/accuracy.md. */
export interface ErrorCounts {
  words: number
  wordErrors: number
  letters: number
  letterErrors: number
}

export function countErrors(said: string, heard: string): ErrorCounts {
  const words = foldedWords(said)
  const letters = [...foldTranscript(said)]
  return {
    words: words.length,
    wordErrors: editDistance(words, foldedWords(heard)),
    letters: letters.length,
    letterErrors: editDistance(letters, [...foldTranscript(heard)]),
  }
}

/** Returns word and letter errors, with intervals over recordings, and speed; all outcomes are of one language. */
export function speechFigures(
  outcomes: readonly SpokenOutcome[],
  { language, peakMemoryBytes }: { language: string; peakMemoryBytes: number },
): SpeechFigures {
  const counts = outcomes.map(({ item, text }) => countErrors(item.text, text))
  const seconds = sum(outcomes, (outcome) => outcome.seconds)
  return {
    kind: 'speech',
    language,
    items: outcomes.length,
    failed: outcomes.filter(({ hasFailed }) => hasFailed).length,
    peakMemoryBytes,
    words: sum(counts, ({ words }) => words),
    seconds,
    wer: bootstrap(counts, (drawn) =>
      percent(
        sum(drawn, (c) => c.wordErrors),
        sum(drawn, (c) => c.words),
      ),
    ),
    cer: bootstrap(counts, (drawn) =>
      percent(
        sum(drawn, (c) => c.letterErrors),
        sum(drawn, (c) => c.letters),
      ),
    ),
    realTimeFactor: seconds === 0 ? 0 : sum(outcomes, ({ elapsedS }) => elapsedS) / seconds,
  }
}

/** Returns chrF2, with its interval over lines, and speed; all outcomes are of one pair. */
export function translationFigures(
  outcomes: readonly PairOutcome[],
  { language, peakMemoryBytes }: { language: string; peakMemoryBytes: number },
): TranslationFigures {
  const counts = outcomes.map(({ item, text }) => countChrf(text, item.reference))
  const elapsedS = sum(outcomes, (outcome) => outcome.elapsedS)
  const rate = (amount: number) => (elapsedS === 0 ? 0 : amount / elapsedS)
  const hasTokens = outcomes.length > 0 && outcomes.every(({ tokens }) => tokens !== undefined)
  return {
    kind: 'translation',
    language,
    items: outcomes.length,
    failed: outcomes.filter(({ hasFailed }) => hasFailed).length,
    peakMemoryBytes,
    chrf: bootstrap(counts, (drawn) => {
      const total = noChrfCounts()
      for (const count of drawn) addChrfCounts(total, count)
      return chrfScore(total)
    }),
    linesPerSecond: rate(outcomes.length),
    charactersPerSecond: rate(sum(outcomes, ({ text }) => text.length)),
    tokensPerSecond: hasTokens ? rate(sum(outcomes, ({ tokens = 0 }) => tokens)) : null,
  }
}

function percent(errors: number, of: number): number {
  return of === 0 ? 0 : (100 * errors) / of
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}
