import { z } from 'zod'
import { Moment } from '../scalars.ts'

const Count = z.int().nonnegative()

/** The errors that a check of all data derived from recordings found and repaired, as numbers of recordings. */
export const LibraryRepairs = z.object({
  /** Library entries that were missing, outdated, or belonged to deleted recordings. */
  entries: Count,
  search: Count,
  alerts: Count,
  /** Jobs that waited although their recording was not in the trash, or could start although it was in the trash. */
  jobs: Count.default(0),
  /** Owners whose keyword hits are counted again. */
  hits: Count,
  /** Deleted recordings that were left in cases. */
  cases: Count,
})
export type LibraryRepairs = z.infer<typeof LibraryRepairs>

/** The last check, which one engine performs when it starts and every night. */
export const LibraryCheck = z.object({
  checked_at: Moment,
  /** The number of recordings checked. */
  recordings: Count,
  repaired: LibraryRepairs,
  /** The number of recordings that could not be repaired: the log says why. */
  failed: Count,
  /** The total number of repairs in all checks. */
  repaired_ever: Count,
})
export type LibraryCheck = z.infer<typeof LibraryCheck>
