import { countChrf, chrfScore } from './chrf.ts'
import { countErrors } from './figures.ts'
import type { Outcome } from './figures.ts'
import type { SpokenText, TextPair } from './sample.ts'
import { compareWords } from './word-differences.ts'
import type { WordDifference } from './word-differences.ts'

/** What one of two models made of a line. */
export interface ContestText {
  text: string
  /** Word error rate in percent of a recording, chrF2 of a translation. */
  score: number
  /** Against what was said; of translations against the other model's, since no two good ones are alike. */
  differences: WordDifference[]
}

export interface ContestLine {
  name: string
  language: string
  /** What was said, or the translation by a person. */
  reference: string
  /** Of a translation, what was translated. */
  source: string | undefined
  texts: readonly [ContestText, ContestText]
  /** Index of the model with the better score; undefined where both have the same. */
  winner: 0 | 1 | undefined
}

export interface Contest {
  kind: 'speech' | 'translation'
  /** Names of the models. */
  models: readonly [string, string]
  lines: ContestLine[]
}

/** Compares what two models made of the same recordings, line by line. */
export function compareSpeech(
  models: readonly [string, string],
  outcomes: readonly [readonly Outcome<SpokenText>[], readonly Outcome<SpokenText>[]],
): Contest {
  const lines = pairUp(outcomes).map(([a, b]): ContestLine => {
    const reference = a.item.text
    const judge = (text: string): ContestText => {
      const { words, wordErrors } = countErrors(reference, text)
      return { text, score: (100 * wordErrors) / Math.max(1, words), differences: compareWords(reference, text) }
    }
    const texts = [judge(a.text), judge(b.text)] as const
    const winner = winnerOf(-texts[0].score, -texts[1].score)
    return { name: a.item.name, language: a.item.language, reference, source: undefined, texts, winner }
  })
  return { kind: 'speech', models, lines }
}

/** Compares what two models made of the same texts, line by line. */
export function compareTranslations(
  models: readonly [string, string],
  outcomes: readonly [readonly Outcome<TextPair>[], readonly Outcome<TextPair>[]],
): Contest {
  const lines = pairUp(outcomes).map(([a, b]): ContestLine => {
    const { name, source, target, reference, text: original } = a.item
    const judge = (text: string, other: string): ContestText => ({
      text,
      score: chrfScore(countChrf(text, reference)),
      differences: compareWords(other, text),
    })
    const texts = [judge(a.text, b.text), judge(b.text, a.text)] as const
    const winner = winnerOf(texts[0].score, texts[1].score)
    return { name, language: `${source}-${target}`, reference, source: original, texts, winner }
  })
  return { kind: 'translation', models, lines }
}

/** Lines that the first model did better, the second, and neither. */
export function countWins({ lines }: Contest): { first: number; second: number; even: number } {
  const count = (winner: ContestLine['winner']) => lines.filter((line) => line.winner === winner).length
  return { first: count(0), second: count(1), even: count(undefined) }
}

/** Both lists hold the same items; one model may have stopped at a language it does not know. */
function pairUp<Item extends { name: string }>(
  outcomes: readonly [readonly Outcome<Item>[], readonly Outcome<Item>[]],
): [Outcome<Item>, Outcome<Item>][] {
  const others = new Map(outcomes[1].map((outcome) => [outcome.item, outcome]))
  return outcomes[0].flatMap((outcome) => {
    const other = others.get(outcome.item)
    return other ? [[outcome, other] as [Outcome<Item>, Outcome<Item>]] : []
  })
}

function winnerOf(first: number, second: number): 0 | 1 | undefined {
  if (first === second) return undefined
  return first > second ? 0 : 1
}
