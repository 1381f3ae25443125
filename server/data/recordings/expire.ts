import type { AudioStore } from '../audio-store/audio-store.ts'
import { readDatabaseTime } from '../database-time.ts'
import { jobModel } from '../jobs/job-model.ts'
import type { Queue } from '../jobs/queue.ts'
import { sourceModel } from '../jobs/source-model.ts'
import { recordingModel } from './recording-model.ts'
import { removeRecording } from './remove.ts'

const dayMs = 24 * 3600 * 1000
/** Recordings deleted in one run: the next run takes the rest. */
const maxPerRun = 1_000

/**
 * Deletes what is older than `days` (RETENTION_DAYS; 0 deletes nothing): recordings with all that was made of them, and texts that
 * were sent to be translated with their translations. Returns how many recordings and texts were deleted.
 */
export async function removeExpired(
  stores: { queue: Queue; audioStore: AudioStore },
  days: number,
): Promise<{ recordings: number; texts: number }> {
  if (days === 0) return { recordings: 0, texts: 0 }
  const { queue } = stores
  const before = new Date((await readDatabaseTime(queue.connection)).getTime() - days * dayMs)
  const expired = await recordingModel(queue.connection)
    .find({ deletedAt: null, createdAt: { $lt: before } }, { ownerId: 1 })
    .limit(maxPerRun)
    .lean()
  for (const { _id, ownerId } of expired) await removeRecording(stores, ownerId.toHexString(), _id.toHexString())
  await jobModel(queue.connection).deleteMany({ recordingId: null, finishedAt: { $lt: before } })
  const { deletedCount } = await sourceModel(queue.connection).deleteMany({
    recordingId: null,
    usedAt: { $lt: before },
  })
  return { recordings: expired.length, texts: deletedCount }
}
