import { seededRandom } from '#engine/speech/seeded-random.ts'
import type { MetricEstimate } from '../models/evaluations.ts'

const resamples = 1000

/**
 * Returns the score of a sample with its 95% confidence interval: the 2.5th and 97.5th percentile over samples of the same size, drawn
 * from the items with replacement (Efron's percentile bootstrap). Seeded, so that the same items give the same interval.
 */
export function bootstrap<Item>(items: readonly Item[], score: (items: readonly Item[]) => number): MetricEstimate {
  const random = seededRandom(20_261_122)
  const draw = () => items.map((item) => items[Math.floor(random() * items.length)] ?? item)
  const scores = Array.from({ length: resamples }, () => score(draw())).toSorted((a, b) => a - b)
  const at = (share: number) => scores[Math.floor(share * (resamples - 1))] ?? 0
  return { value: score(items), low: at(0.025), high: at(0.975) }
}
