/** A metric that is read when it is scraped. */
export interface MetricSample {
  name: string
  /** Default gauge. A counter's name ends with `_total`. */
  type?: 'counter'
  help: string
  values: { labels?: Record<string, string>; value: number }[]
}

/** Returns a metric with one value and no labels; without a value it has none, as where nothing was measured yet. */
export function sampleOf(name: string, help: string, value: number | undefined): MetricSample {
  return { name, help, values: value === undefined ? [] : [{ value }] }
}
