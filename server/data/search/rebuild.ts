import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import type { OwnedRecording } from '../library/derived-records.ts'
import { createSystemFactRepository } from '../system/system-facts.ts'
import { searchEntryModel } from './search-entry-model.ts'
import { searchIndexModel, type SearchIndexDocument } from './search-index-model.ts'

const positionName = 'search-rebuild'
const beforeAll = '0'.repeat(24)

/** Returns the recording that an interrupted rebuild had reached; the lowest id where there was none. */
export async function readRebuildPosition(connection: DatabaseConnection): Promise<string> {
  return (await createSystemFactRepository(connection).setOnce(positionName, beforeAll)) ?? beforeAll
}

export async function saveRebuildPosition(connection: DatabaseConnection, id: string): Promise<void> {
  await createSystemFactRepository(connection).set(positionName, id)
}

export async function endRebuild(connection: DatabaseConnection): Promise<void> {
  await createSystemFactRepository(connection).remove(positionName)
}

/** Has the lines of a recording rewritten even though they have not changed. */
export async function forgetFingerprint(connection: DatabaseConnection, { id, ownerId }: OwnedRecording) {
  await searchEntryModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId) },
    { $set: { fingerprint: '' } },
  )
}

/** What the search stores for one owner. */
interface SearchStatus {
  ownerId: string
  recordings: number
  segments: number
  sizeBytes: number
  /** Number of segments waiting to be removed. */
  garbage: number
}

/** Returns what the search stores for each owner. */
export async function readSearchStatus(connection: DatabaseConnection): Promise<SearchStatus[]> {
  const indexes = await searchIndexModel(connection).find().sort({ _id: 1 }).lean<SearchIndexDocument[]>()
  return Promise.all(
    indexes.map(async ({ _id, segments, garbage }) => ({
      ownerId: _id.toHexString(),
      recordings: await searchEntryModel(connection).countDocuments({ ownerId: _id, lineCount: { $gt: 0 } }),
      segments: segments.length,
      sizeBytes: segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      garbage: garbage.length,
    })),
  )
}
