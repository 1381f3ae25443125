import type { ReviewProgress } from '#contract/review-state.ts'
import type { DatabaseConnection } from './connect.ts'
import { type HeardDocument, heardShares } from './heard/heard.ts'
import { type LineMarksDocument, verifiedShares } from './line-marks/line-marks.ts'
import { readTogether } from './read-together.ts'

/**
 * Returns how much of each recording has been reviewed, by its id; recordings without any progress are missing. Shares are stored as last
 * counted, so no text is read. The caller checks that the user may read the recordings.
 */
export async function findProgress(
  connection: DatabaseConnection,
  userId: string,
  recordingIds: string[],
): Promise<Map<string, ReviewProgress>> {
  if (recordingIds.length === 0) return new Map()
  return toProgress(await readTogether(progressReads(connection, userId, recordingIds)))
}

/** Returns the reads for `findProgress`; `toProgress` converts what they find. */
export function progressReads(connection: DatabaseConnection, userId: string, recordingIds: string[]) {
  return {
    heard: heardShares(connection, userId, recordingIds),
    marks: verifiedShares(connection, recordingIds),
  }
}

export function toProgress({
  heard,
  marks,
}: {
  heard: HeardDocument[]
  marks: LineMarksDocument[]
}): Map<string, ReviewProgress> {
  const shares = new Map(heard.map(({ recordingId, share }) => [recordingId.toHexString(), share]))
  const verified = new Map(marks.map((document) => [document._id.toHexString(), document]))
  const ids = new Set([...shares.keys(), ...verified.keys()])
  return new Map(
    [...ids].map((id) => {
      const { verified: once = 0, verifiedTwice = 0 } = verified.get(id) ?? {}
      return [id, { heard: shares.get(id) ?? 0, verified: once, verified_twice: verifiedTwice }]
    }),
  )
}
