/** Steps of a path through the matrix, which lead back to the previous cell. */
const diagonal = 0
const up = 1
const left = 2

/**
 * Returns the first column of each row on the path from the first to the last cell whose scores have the largest sum (dynamic time
 * warping): ascending, and equal where several rows share a column. 0 for all rows if there are no columns.
 *
 * @param scores [rows, columns]
 */
function alignByTimeWarping(scores: Float32Array, { rows, columns }: { rows: number; columns: number }): number[] {
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

/** Width of the median filter along the positions, as in OpenAI's Whisper; odd. */
const filterWidth = 7
const reach = (filterWidth - 1) / 2

export interface CrossAttentionShape {
  heads: number
  tokens: number
  /** Encoder positions of 20 ms. */
  positions: number
  /** Positions that contain audio, from the start; attention to the others is ignored. */
  audioPositions: number
  /** Tokens before this one are only used for normalization, not aligned; 0 by default. */
  firstToken?: number
}

/**
 * Returns the position at which each token from `firstToken` starts, ascending, 0 to `audioPositions`; undefined without heads. Source:
 * find_alignment in OpenAI's whisper/timing.py, which also shows how to pass tokens: one decoder pass over start of transcript, language,
 * task, no timestamps and the whole text, `firstToken` being "no timestamps". A token attends to what the next one says, so the result for
 * "no timestamps" is the start of the first token of the text, and the last result is the end of the text.
 *
 * @param weights cross-attention after softmax, [heads, tokens, positions], of the heads that follow the audio; values that are not finite
 * count as 0
 * @throws RangeError if `weights` has another length
 */
export function alignTokens(weights: Float32Array, shape: CrossAttentionShape): number[] | undefined {
  const { heads, tokens, positions } = shape
  if (weights.length !== heads * tokens * positions)
    throw new RangeError(`Expected ${heads * tokens * positions} attention weights, got ${weights.length}`)
  if (heads === 0) return undefined
  const columns = Math.max(0, Math.min(positions, shape.audioPositions))
  const first = Math.max(0, shape.firstToken ?? 0)
  const rows = Math.max(0, tokens - first)
  const scores = new Float32Array(rows * columns)
  const stride = tokens * positions
  for (let head = 0; head < heads; head += 1) {
    const layer = standardize(weights.subarray(head * stride, (head + 1) * stride), { tokens, positions, columns })
    addFiltered(layer.subarray(first * columns), columns, scores)
  }
  return alignByTimeWarping(scores, { rows, columns })
}

interface HeadShape {
  tokens: number
  positions: number
  columns: number
}

/**
 * Returns the weights of one head as [tokens, columns]: each token's attention to the audio sums to 1, then each column has mean 0 and
 * standard deviation 1. A column without deviation carries no information and is 0.
 */
function standardize(weights: Float32Array, { tokens, positions, columns }: HeadShape): Float32Array {
  const scores = new Float32Array(tokens * columns)
  const means = new Float64Array(columns)
  for (let token = 0; token < tokens; token += 1) {
    const row = weights.subarray(token * positions, token * positions + columns)
    const share = 1 / (sumFinite(row) || 1)
    for (let column = 0; column < columns; column += 1) {
      const weight = row[column] ?? 0
      const score = Number.isFinite(weight) ? weight * share : 0
      scores[token * columns + column] = score
      means[column] = (means[column] ?? 0) + score / tokens
    }
  }
  const variances = new Float64Array(columns)
  for (let at = 0, column = 0; at < scores.length; at += 1) {
    const deviation = (scores[at] ?? 0) - (means[column] ?? 0)
    variances[column] = (variances[column] ?? 0) + (deviation * deviation) / tokens
    column = column + 1 === columns ? 0 : column + 1
  }
  for (let at = 0, column = 0; at < scores.length; at += 1) {
    const mean = means[column] ?? 0
    const deviation = Math.sqrt(variances[column] ?? 0)
    // Equal weights differ from their mean by rounding, which must not be scaled to 1.
    scores[at] = deviation > mean * 1e-6 ? ((scores[at] ?? 0) - mean) / deviation : 0
    column = column + 1 === columns ? 0 : column + 1
  }
  return scores
}

function sumFinite(values: Float32Array): number {
  let sum = 0
  for (const value of values) if (Number.isFinite(value)) sum += value
  return sum
}

/** Adds the median around each position to `sums`, with the row reflected at both ends; rows that cannot be reflected stay as they are. */
function addFiltered(layer: Float32Array, columns: number, sums: Float32Array): void {
  const isFiltered = columns > reach
  const padded = new Float32Array(columns + 2 * reach)
  const sorted = new Float32Array(filterWidth)
  for (let start = 0; start < layer.length; start += columns) {
    const row = layer.subarray(start, start + columns)
    if (isFiltered) {
      reflect(row, padded)
      sorted.set(padded.subarray(0, filterWidth))
      sorted.sort()
    }
    for (let column = 0; column < columns; column += 1) {
      if (isFiltered && column > 0) replaceSorted(sorted, padded[column - 1] ?? 0, padded[column + 2 * reach] ?? 0)
      const median = isFiltered ? sorted[reach] : row[column]
      sums[start + column] = (sums[start + column] ?? 0) + (median ?? 0)
    }
  }
}

function reflect(row: Float32Array, padded: Float32Array): void {
  padded.set(row, reach)
  for (let away = 1; away <= reach; away += 1) {
    padded[reach - away] = row[away] ?? 0
    padded[reach + row.length - 1 + away] = row[row.length - 1 - away] ?? 0
  }
}

/** Replaces one value of a sorted array, which stays sorted. */
function replaceSorted(sorted: Float32Array, oldValue: number, newValue: number): void {
  const last = sorted.length - 1
  let at = 0
  while (at < last && sorted[at] !== oldValue) at += 1
  for (; at < last && (sorted[at + 1] ?? 0) < newValue; at += 1) sorted[at] = sorted[at + 1] ?? 0
  for (; at > 0 && (sorted[at - 1] ?? 0) > newValue; at -= 1) sorted[at] = sorted[at - 1] ?? 0
  sorted[at] = newValue
}
