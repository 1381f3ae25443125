import { editDistance } from '#contract/edit-distance.ts'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import { distanceMs } from './truth.ts'
import type { Line, TrueUtterance } from './truth.ts'

/** The true word that a heard word stands for. */
export interface WordPlace {
  /** Index of the utterance, and of the word in it. */
  utterance: number
  word: number
  /** Whether it was heard as it was said, folded. */
  isExact: boolean
}

/** Cost of a word missed or invented. A pair costs at most 1 for its letters and 0.2 for its time, so a wrong time never hides a right word. */
const gapCost = 0.65
const timeCost = { most: 0.2, atMs: 5000 }

/**
 * Finds for each word of each line the true word it stands for, or undefined where it stands for none: the cheapest alignment of all
 * words of a channel in their order, where a pair costs what their letters differ and a little for their distance in time. So a
 * word heard wrongly still finds its place, and a right word at a wrong time is found where it was said. Both lists are of one channel.
 */
export function alignLines(lines: readonly Line[], utterances: readonly TrueUtterance[]): (WordPlace | undefined)[][] {
  const heard = lines.flatMap((line, index) => foldedWords(line.text).map((text) => ({ text, line, index })))
  const said = utterances.flatMap((utterance, index) =>
    foldedWords(utterance.text).map((text, word) => ({ text, utterance, index, word })),
  )
  const letterCost = createLetterCost()
  const pairs = cheapestPairs(heard.length, said.length, (row, column) => {
    const [a, b] = [heard[row], said[column]]
    if (!a || !b) return Number.POSITIVE_INFINITY
    const late = Math.min(1, distanceMs(a.line, b.utterance) / timeCost.atMs)
    return letterCost(a.text, b.text) + timeCost.most * late
  })
  const places: (WordPlace | undefined)[][] = lines.map(() => [])
  for (const [row, { index, text }] of heard.entries()) {
    const found = said[pairs[row] ?? -1]
    places[index]?.push(found && { utterance: found.index, word: found.word, isExact: found.text === text })
  }
  return places
}

/** Share of letters that differ, 0 to 1. */
function createLetterCost(): (a: string, b: string) => number {
  const known = new Map<string, number>()
  return (a, b) => {
    if (a === b) return 0
    const key = `${a} ${b}`
    let cost = known.get(key)
    if (cost === undefined) {
      cost = editDistance([...a], [...b]) / Math.max(a.length, b.length)
      known.set(key, cost)
    }
    return cost
  }
}

const step = { pair: 0, skipRow: 1, skipColumn: 2 }

/** For each row the column it is paired with, or -1, in the cheapest alignment that keeps the order of both. */
function cheapestPairs(rows: number, columns: number, pairCost: (row: number, column: number) => number): Int32Array {
  const width = columns + 1
  const moves = new Uint8Array((rows + 1) * width).fill(step.skipColumn, 0, width)
  let previous = Float32Array.from({ length: width }, (_, column) => column * gapCost)
  for (let row = 1; row <= rows; row += 1) {
    const current = new Float32Array(width)
    current[0] = row * gapCost
    moves[row * width] = step.skipRow
    for (let column = 1; column <= columns; column += 1) {
      const paired = (previous[column - 1] ?? 0) + pairCost(row - 1, column - 1)
      const skippedRow = (previous[column] ?? 0) + gapCost
      const skippedColumn = (current[column - 1] ?? 0) + gapCost
      const least = Math.min(paired, skippedRow, skippedColumn)
      current[column] = least
      if (least === paired) moves[row * width + column] = step.pair
      else moves[row * width + column] = least === skippedRow ? step.skipRow : step.skipColumn
    }
    previous = current
  }
  return followMoves(moves, rows, columns)
}

function followMoves(moves: Uint8Array, rows: number, columns: number): Int32Array {
  const pairs = new Int32Array(rows).fill(-1)
  let [row, column] = [rows, columns]
  while (row > 0 || column > 0) {
    const move = moves[row * (columns + 1) + column]
    if (move === step.pair) pairs[row - 1] = column - 1
    if (move !== step.skipColumn) row -= 1
    if (move !== step.skipRow) column -= 1
  }
  return pairs
}
