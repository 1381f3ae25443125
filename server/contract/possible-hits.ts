import { z } from 'zod'
import { KeywordCategory } from './keywords/keywords.ts'

/**
 * A keyword that may have been said where the transcript has other words that sound like it: `heard`, from `start` to `end` in seconds.
 * `probability` is that of the speech model, at least 0.8. Recordings with two channels also specify the channel.
 */
export const PossibleHit = z.object({
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  channel: z.int().min(0).max(1).optional(),
  keyword: z.string(),
  heard: z.string(),
  probability: z.number().min(0).max(1),
})
export type PossibleHit = z.infer<typeof PossibleHit>

/** A possible hit of one of the reader's keywords. */
export const CategorizedPossibleHit = PossibleHit.extend({ category: KeywordCategory })
export type CategorizedPossibleHit = z.infer<typeof CategorizedPossibleHit>
