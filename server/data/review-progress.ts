import type { ReviewProgress } from '#contract/review-state.ts'
import type { DatabaseConnection } from './connect.ts'
import { findHeardShares } from './heard/heard.ts'
import { findVerifiedShares } from './line-marks/line-marks.ts'

/**
 * Returns how much of each recording was read, by its id; those of which nothing was read are missing. Shares are stored as they were counted
 * last, so no text is read. The caller checks that the user may read the recordings.
 */
export async function findProgress(
  connection: DatabaseConnection,
  userId: string,
  recordingIds: string[],
): Promise<Map<string, ReviewProgress>> {
  if (recordingIds.length === 0) return new Map()
  const [heard, verified] = await Promise.all([
    findHeardShares(connection, userId, recordingIds),
    findVerifiedShares(connection, recordingIds),
  ])
  const ids = new Set([...heard.keys(), ...verified.keys()])
  return new Map(
    [...ids].map((id) => {
      const { verified: once = 0, verifiedTwice = 0 } = verified.get(id) ?? {}
      return [id, { heard: heard.get(id) ?? 0, verified: once, verified_twice: verifiedTwice }]
    }),
  )
}
