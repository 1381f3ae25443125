import { countChrf, chrfScore } from './chrf.ts'
import { countErrors } from './metrics.ts'
import type { ItemResult } from './metrics.ts'
import type { ReferenceRecording, TextPair } from './sample.ts'
import { compareWords } from './word-differences.ts'
import type { WordDifference } from './word-differences.ts'

/** The result of one model for a line. */
export interface ComparedText {
  text: string
  /** Word error rate in percent for speech, chrF2 for translation. */
  score: number
  /** For speech, compared with the reference; for translation, with the other model, because good translations differ. */
  differences: WordDifference[]
}

export interface ComparedLine {
  name: string
  language: string
  /** The reference transcript or translation. */
  reference: string
  /** The source text of a translation. */
  source: string | undefined
  texts: readonly [ComparedText, ComparedText]
  /** Index of the model with the better score; undefined if both scores are equal. */
  winner: 0 | 1 | undefined
}

export interface ModelComparison {
  kind: 'speech' | 'translation'
  /** Names of the models. */
  models: readonly [string, string]
  lines: ComparedLine[]
}

/** Compares the transcripts of two models line by line. */
export function compareSpeech(
  models: readonly [string, string],
  results: readonly [readonly ItemResult<ReferenceRecording>[], readonly ItemResult<ReferenceRecording>[]],
): ModelComparison {
  const lines = pairUp(results).map(([a, b]): ComparedLine => {
    const reference = a.item.text
    const score = (text: string): ComparedText => {
      const { words, wordErrors } = countErrors(reference, text)
      return { text, score: (100 * wordErrors) / Math.max(1, words), differences: compareWords(reference, text) }
    }
    const texts = [score(a.text), score(b.text)] as const
    const winner = winnerOf(-texts[0].score, -texts[1].score)
    return { name: a.item.name, language: a.item.language, reference, source: undefined, texts, winner }
  })
  return { kind: 'speech', models, lines }
}

/** Compares the translations of two models line by line. */
export function compareTranslations(
  models: readonly [string, string],
  results: readonly [readonly ItemResult<TextPair>[], readonly ItemResult<TextPair>[]],
): ModelComparison {
  const lines = pairUp(results).map(([a, b]): ComparedLine => {
    const { name, source, target, reference, text: original } = a.item
    const score = (text: string, other: string): ComparedText => ({
      text,
      score: chrfScore(countChrf(text, reference)),
      differences: compareWords(other, text),
    })
    const texts = [score(a.text, b.text), score(b.text, a.text)] as const
    const winner = winnerOf(texts[0].score, texts[1].score)
    return { name, language: `${source}-${target}`, reference, source: original, texts, winner }
  })
  return { kind: 'translation', models, lines }
}

/** Counts the lines in which the first model is better, the second is better, or neither is. */
export function countWins({ lines }: ModelComparison): { first: number; second: number; even: number } {
  const count = (winner: ComparedLine['winner']) => lines.filter((line) => line.winner === winner).length
  return { first: count(0), second: count(1), even: count(undefined) }
}

/** Pairs the results of both models; one may lack the languages that it does not support. */
function pairUp<Item extends { name: string }>(
  results: readonly [readonly ItemResult<Item>[], readonly ItemResult<Item>[]],
): [ItemResult<Item>, ItemResult<Item>][] {
  const others = new Map(results[1].map((result) => [result.item, result]))
  return results[0].flatMap((result) => {
    const other = others.get(result.item)
    return other ? [[result, other] as [ItemResult<Item>, ItemResult<Item>]] : []
  })
}

function winnerOf(first: number, second: number): 0 | 1 | undefined {
  if (first === second) return undefined
  return first > second ? 0 : 1
}
