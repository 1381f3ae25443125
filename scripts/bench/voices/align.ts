import { editDistance } from '#contract/edit-distance.ts'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import { distanceMs } from './reference.ts'
import type { Line, ReferenceUtterance } from './reference.ts'

/** The reference word that a transcribed word is aligned with. */
export interface WordPlace {
  /** Index of the utterance, and of the word in it. */
  utterance: number
  word: number
  /** Whether both are equal after folding. */
  isExact: boolean
}

/** Cost of a word missed or inserted. A pair costs at most 1 for its letters and 0.2 for its time, so a wrong time never hides a right word. */
const gapCost = 0.65
const timeCost = { max: 0.2, atMs: 5000 }

/**
 * Aligns each word of each line with a reference word, or undefined if it is an insertion: the alignment of all words of a channel in order
 * with the minimum cost, where a pair costs the share of different letters and a little for the distance in time. So a misrecognized word is
 * aligned with the word spoken there, and a correct word at a wrong time with where it was spoken. Both lists are of one channel.
 */
export function alignLines(
  lines: readonly Line[],
  utterances: readonly ReferenceUtterance[],
): (WordPlace | undefined)[][] {
  const transcribed = lines.flatMap((line, index) => foldedWords(line.text).map((text) => ({ text, line, index })))
  const said = utterances.flatMap((utterance, index) =>
    foldedWords(utterance.text).map((text, word) => ({ text, utterance, index, word })),
  )
  const letterCost = createLetterCost()
  const pairs = findCheapestPairs(transcribed.length, said.length, (row, column) => {
    const [a, b] = [transcribed[row], said[column]]
    if (!a || !b) return Number.POSITIVE_INFINITY
    const late = Math.min(1, distanceMs(a.line, b.utterance) / timeCost.atMs)
    return letterCost(a.text, b.text) + timeCost.max * late
  })
  const places: (WordPlace | undefined)[][] = lines.map(() => [])
  for (const [row, { index, text }] of transcribed.entries()) {
    const found = said[pairs[row] ?? -1]
    places[index]?.push(found && { utterance: found.index, word: found.word, isExact: found.text === text })
  }
  return places
}

/** Returns a function for the share of letters that differ, 0 to 1. */
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

/** Returns for each row the column it is paired with, or -1, in the cheapest alignment that keeps the order of both. */
function findCheapestPairs(
  rows: number,
  columns: number,
  pairCost: (row: number, column: number) => number,
): Int32Array {
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
