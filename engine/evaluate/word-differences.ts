import { foldTranscript } from './fold-transcript.ts'

/** A word of either text: `same` in both, `wrong` for a substitution, `extra` for an insertion, `missing` for a deletion. */
export type WordDifference =
  { kind: 'same' | 'extra' | 'missing'; word: string } | { kind: 'wrong'; word: string; expected: string }

interface Word {
  /** As it stands in the text. */
  text: string
  folded: string
}

/** Returns the minimal word differences of `actual` from `expected`, in order. Words are compared after folding, as in metrics. */
export function compareWords(expected: string, actual: string): WordDifference[] {
  const [wanted, got] = [wordsOf(expected), wordsOf(actual)]
  const costs = costTable(wanted, got)
  const at = (row: number, column: number) => costs[row]?.[column] ?? Number.POSITIVE_INFINITY
  const differences: WordDifference[] = []
  let [row, column] = [wanted.length, got.length]
  while (row > 0 || column > 0) {
    const [a, b] = [wanted[row - 1], got[column - 1]]
    const cost = at(row, column)
    if (a && b && isSame(cost, at(row - 1, column - 1) + pairCost(a, b))) {
      differences.push(
        a.folded === b.folded ? { kind: 'same', word: b.text } : { kind: 'wrong', word: b.text, expected: a.text },
      )
      row -= 1
      column -= 1
    } else if (a && isSame(cost, at(row - 1, column) + 1)) {
      differences.push({ kind: 'missing', word: a.text })
      row -= 1
    } else {
      differences.push({ kind: 'extra', word: b?.text ?? '' })
      column -= 1
    }
  }
  return differences.toReversed()
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-6
}

function costTable(wanted: readonly Word[], got: readonly Word[]): number[][] {
  const costs: number[][] = [Array.from({ length: got.length + 1 }, (_, column) => column)]
  for (const [row, word] of wanted.entries()) {
    const above = costs[row] ?? []
    const current = [row + 1]
    for (const [column, other] of got.entries()) {
      const paired = (above[column] ?? 0) + pairCost(word, other)
      current.push(Math.min(paired, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    costs.push(current)
  }
  return costs
}

/** Slightly above 1, so that of several minimal alignments the one with the most equal words is chosen. */
const substitutionCost = 1.0001

function pairCost(a: Word, b: Word): number {
  return a.folded === b.folded ? 0 : substitutionCost
}

/** Splits a text into words as foldTranscript does, each with its original spelling. */
function wordsOf(text: string): Word[] {
  const written = text.match(/[\p{L}\p{N}\p{M}\p{Cf}'’ʼ‘`]+/gu) ?? []
  return written.map((word) => ({ text: word, folded: foldTranscript(word) })).filter(({ folded }) => folded !== '')
}
