/** Steps of a path through the matrix, by which the previous cell is found. */
const diagonal = 0
const up = 1
const left = 2

/**
 * Returns the first column of each row on the path from the first to the last cell whose scores have the largest sum (dynamic time
 * warping): ascending, and equal where several rows share a column. 0 for all rows where there are no columns.
 *
 * @param scores [rows, columns]
 */
export function alignByTimeWarping(
  scores: Float32Array,
  { rows, columns }: { rows: number; columns: number },
): number[] {
  const steps = findSteps(scores, { rows, columns })
  const starts = Array.from({ length: rows }, () => 0)
  let row = rows - 1
  let column = columns - 1
  while (row >= 0 && column >= 0) {
    starts[row] = column
    const step = steps[row * columns + column]
    if (step !== left) row -= 1
    if (step !== up) column -= 1
  }
  return starts
}

function findSteps(scores: Float32Array, { rows, columns }: { rows: number; columns: number }): Uint8Array {
  const steps = new Uint8Array(rows * columns)
  let above = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY)
  let sums = new Float64Array(columns)
  for (let row = 0; row < rows; row += 1) {
    let before = Number.NEGATIVE_INFINITY
    let aboveBefore = row === 0 ? 0 : Number.NEGATIVE_INFINITY
    for (let column = 0; column < columns; column += 1) {
      const aboveHere = above[column] ?? 0
      const step = bestStep(aboveBefore, aboveHere, before)
      steps[row * columns + column] = step
      const best = Math.max(aboveBefore, aboveHere, before)
      before = best + (scores[row * columns + column] ?? 0)
      sums[column] = before
      aboveBefore = row === 0 ? Number.NEGATIVE_INFINITY : aboveHere
    }
    ;[above, sums] = [sums, above]
  }
  return steps
}

/** Equal sums continue the row, as in OpenAI's whisper/timing.py. */
function bestStep(viaDiagonal: number, viaUp: number, viaLeft: number): number {
  if (viaLeft >= viaDiagonal && viaLeft >= viaUp) return left
  return viaDiagonal >= viaUp ? diagonal : up
}
