/** Converts dBFS to an amplitude: 0 dB is 1, -20 dB is 0.1. */
export function fromDb(db: number): number {
  return 10 ** (db / 20)
}

/** Returns the value below which `share` (0 to 1) of the values lie; 0 for no values. Does not modify `values`. */
export function percentile(values: Float32Array, share: number): number {
  const sorted = values.toSorted()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** Returns for each frame the largest value from `back` frames before it to `ahead` frames after it. */
export function slidingMaximum(values: Float32Array, back: number, ahead: number): Float32Array {
  const maxima = new Float32Array(values.length)
  for (let frame = 0; frame < values.length; frame += 1) {
    let largest = 0
    const last = Math.min(values.length - 1, frame + ahead)
    for (let near = Math.max(0, frame - back); near <= last; near += 1) largest = Math.max(largest, values[near] ?? 0)
    maxima[frame] = largest
  }
  return maxima
}
