import { z } from 'zod'
import { MarkedLine } from '#contract/line-marks.ts'

/** A moment in milliseconds, and the id of a person. */
const Statement = { by: z.string(), at: z.number() }

/** What people said of a passage and its words. */
export const StoredMark = MarkedLine.extend({
  verified: z.array(z.object(Statement)),
  doubt: z.object({ ...Statement, isUncertain: z.boolean(), reason: z.string() }).nullable(),
})
export type StoredMark = z.infer<typeof StoredMark>
