/** A figure with its upper limit. */
export interface LimitedFigure {
  name: string
  value: number
  limit: number
  unit: string
}

/** Prints figures beside their limits; a figure above its limit is marked, and ends the benchmark with status 1. */
export function printLimits(figures: LimitedFigure[]): void {
  for (const { name, value, limit, unit } of figures) {
    const isReached = value <= limit
    const shown = value < 10 ? value.toFixed(2) : value.toFixed(0)
    console.log(`${isReached ? 'ok         ' : 'NOT REACHED'} ${name}: ${shown} ${unit} (limit ${limit})`)
    if (!isReached) process.exitCode = 1
  }
}
