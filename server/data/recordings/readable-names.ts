import { listReaders } from '../cases/recording-grants.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { inChunks } from '../library/in-chunks.ts'
import { keptRecording } from './lifecycle.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'

/** A recording as shown to people who may read it. */
export interface ReadableName {
  name: string
  /** Whether it is not in the trash. */
  isLive: boolean
}

/**
 * Returns the names of the recordings that a user may read: the user's own, including the trash, and those of cases, which members cannot
 * see in the trash. Other recordings are missing, like deleted ones.
 */
export async function findReadableNames(
  connection: DatabaseConnection,
  userId: string,
  ids: string[],
): Promise<Map<string, ReadableName>> {
  const names = new Map<string, ReadableName>()
  await inChunks([...new Set(ids)], async (chunk) => {
    const found = await recordingModel(connection)
      .find({ _id: { $in: chunk.map(toObjectId) }, ...keptRecording }, { ownerId: 1, name: 1, deletedAt: 1 })
      .batchSize(chunk.length)
      .lean<Pick<RecordingDocument, '_id' | 'ownerId' | 'name' | 'deletedAt'>[]>()
    const recordings = found.map(({ _id, ownerId, name, deletedAt }) => ({
      id: _id.toHexString(),
      isOwn: ownerId.toHexString() === userId,
      name,
      isLive: deletedAt === null,
    }))
    const shared = recordings.filter(({ isOwn, isLive }) => !isOwn && isLive).map(({ id }) => id)
    const readers = await listReaders(connection, shared)
    for (const { id, isOwn, name, isLive } of recordings)
      if (isOwn || readers.get(id)?.has(userId)) names.set(id, { name, isLive })
  })
  return names
}
