import { z } from 'zod'
import { MarkedLine, type LineMark } from '#contract/line-marks.ts'

/** A time in milliseconds, and the id of a person. */
const Statement = { by: z.string(), at: z.number() }

/** What people stated about a passage and its words. */
export const StoredMark = MarkedLine.extend({
  verified: z.array(z.object(Statement)),
  doubt: z.object({ ...Statement, isUncertain: z.boolean(), reason: z.string() }).nullable(),
})
export type StoredMark = z.infer<typeof StoredMark>

/** Returns a mark in its stored form, with people as ids. */
export function toStoredMark({ verified, doubt, ...line }: LineMark): StoredMark {
  const store = ({ by, at }: { by: { id: string }; at: string }) => ({ by: by.id, at: Date.parse(at) })
  return {
    ...line,
    verified: verified.map(store),
    doubt: doubt && { isUncertain: doubt.is_uncertain, reason: doubt.reason, ...store(doubt) },
  }
}

/** Returns the mark for a stored one, without people's names. */
export function toLineMark({ verified, doubt, ...line }: StoredMark): LineMark {
  const present = ({ by, at }: { by: string; at: number }) => ({
    by: { id: by, name: '' },
    at: new Date(at).toISOString(),
  })
  return {
    ...line,
    verified: verified.map(present),
    doubt: doubt && { is_uncertain: doubt.isUncertain, reason: doubt.reason, ...present(doubt) },
  }
}
