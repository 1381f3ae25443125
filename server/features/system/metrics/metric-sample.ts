/** A metric that is read when scraped. */
export interface MetricSample {
  name: string
  /** Default gauge. A counter's name ends with `_total`. */
  type?: 'counter'
  help: string
  values: { labels?: Record<string, string>; value: number }[]
}

/** Returns a metric without labels and with one value, or with none if nothing has been measured yet. */
export function sampleOf(name: string, help: string, value: number | undefined): MetricSample {
  return { name, help, values: value === undefined ? [] : [{ value }] }
}
