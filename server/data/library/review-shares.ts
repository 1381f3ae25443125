import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { heardShares } from '../heard/heard.ts'
import { toObjectId } from '../ids.ts'
import { verifiedShares } from '../line-marks/line-marks.ts'
import { readTogether } from '../read-together.ts'
import { libraryEntryModel } from './library-entry-model.ts'

/**
 * Updates a recording's entry with the stored shares of what its owner has heard and of what is verified: of two simultaneous calls, the
 * later one writes the newer shares. No event announces them, since they change every few seconds during playback; the next list shows
 * them.
 */
export async function updateReviewShares(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
): Promise<void> {
  const model = libraryEntryModel(connection)
  const own = { _id: toObjectId(recordingId), ownerId: toObjectId(ownerId) }
  const found = await readTogether({
    entries: { model, filter: own, projection: { heard: 1, verified: 1 } },
    heard: heardShares(connection, ownerId, [recordingId]),
    marks: verifiedShares(connection, [recordingId]),
  })
  const [entry] = found.entries
  const shares = { heard: found.heard[0]?.share ?? 0, verified: found.marks[0]?.verified ?? 0 }
  if (!entry || ((entry.heard ?? 0) === shares.heard && (entry.verified ?? 0) === shares.verified)) return
  const change = await nextChange(connection)
  await model.updateOne({ ...own, deletedAt: null }, { $set: { ...shares, change }, $inc: { revision: 1 } })
}
