/** A voice ends this far below the probability at which it starts. */
const endMargin = 0.15

/** Indices of the first and last window, both inclusive. */
export interface WindowRange {
  first: number
  last: number
}

/**
 * Returns the ranges of windows with a voice. A range starts with two consecutive windows above `threshold` and ends before the second
 * window that lies `endMargin` or more below it. A window above `threshold` between those two resets the count.
 */
export function findVoicedRanges(probabilities: Float32Array, threshold: number): WindowRange[] {
  const ranges: WindowRange[] = []
  let current: WindowRange | undefined
  let isEnding = false
  for (const [window, probability] of probabilities.entries()) {
    const isAbove = probability > threshold
    if (isAbove) isEnding = false
    if (!current) {
      if (!isAbove || (probabilities[window - 1] ?? 0) <= threshold) continue
      current = { first: window - 1, last: window }
      ranges.push(current)
    } else if (probability > threshold - endMargin || !isEnding) {
      current.last = window
      isEnding ||= probability <= threshold - endMargin
    } else {
      current = undefined
      isEnding = false
    }
  }
  return ranges
}
