import { z } from 'zod'
import { Moment } from '../scalars.ts'

const Count = z.int().nonnegative()

/** What a check of everything that is derived from recordings found wrong and repaired, in numbers of recordings. */
export const LibraryRepairs = z.object({
  /** Entries of the library: missing, outdated, or of recordings that are gone. */
  entries: Count,
  search: Count,
  alerts: Count,
  /** Jobs that waited although their recording was not in the trash, or could start although it was. */
  jobs: Count.default(0),
  /** Owners whose keywords are counted again. */
  hits: Count,
  /** Recordings that are gone and were left in cases. */
  cases: Count,
})
export type LibraryRepairs = z.infer<typeof LibraryRepairs>

/** The last check, which one engine makes when it starts and each night. */
export const LibraryCheck = z.object({
  checked_at: Moment,
  /** Recordings that were checked. */
  recordings: Count,
  repaired: LibraryRepairs,
  /** Recordings that could not be repaired: the log says why. */
  failed: Count,
  /** All repairs of all checks together. */
  repaired_ever: Count,
})
export type LibraryCheck = z.infer<typeof LibraryCheck>
