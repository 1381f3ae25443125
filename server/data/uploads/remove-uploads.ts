import type { QueryFilter } from 'mongoose'
import type { AudioStore } from '../audio-store/audio-store.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { uploadModel, type UploadDocument } from './upload-model.ts'

interface UploadStores {
  connection: DatabaseConnection
  audioStore: AudioStore
}

/** Maximum number of uploads removed in one run: the next run takes the rest. */
const maxPerRun = 1_000

/** Removes an upload of this owner with the data received. Returns whether it existed. */
export async function removeUpload(
  { connection, audioStore }: UploadStores,
  ownerId: string,
  id: string,
): Promise<boolean> {
  const { deletedCount } = await uploadModel(connection).deleteOne({
    _id: toObjectId(id),
    ownerId: toObjectId(ownerId),
  })
  if (deletedCount === 1) await audioStore.uploads.remove(id)
  return deletedCount === 1
}

/** Removes all uploads of an owner, as part of deleting a user. */
export async function removeUploadsOf(stores: UploadStores, ownerId: string): Promise<void> {
  await removeWhere(stores, { ownerId: toObjectId(ownerId) })
}

/** Removes expired uploads, which have received nothing for some time, of one owner or of everyone. Returns how many. */
export async function removeExpiredUploads(stores: UploadStores, ownerId?: string): Promise<number> {
  const expired = { expiresAt: { $lte: await readDatabaseTime(stores.connection) } }
  return removeWhere(stores, { ...(ownerId !== undefined && { ownerId: toObjectId(ownerId) }), ...expired })
}

/** Returns how many expired uploads still exist. */
export async function countExpiredUploads(connection: DatabaseConnection): Promise<number> {
  return uploadModel(connection).countDocuments({ expiresAt: { $lte: await readDatabaseTime(connection) } })
}

/** Removes documents first: an upload still receiving then ends at its next record, and its file is removed with it. */
async function removeWhere(
  { connection, audioStore }: UploadStores,
  filter: QueryFilter<UploadDocument>,
): Promise<number> {
  const model = uploadModel(connection)
  const found = await model.find(filter, { _id: 1 }).limit(maxPerRun).lean()
  const ids = found.map(({ _id }) => _id)
  if (ids.length === 0) return 0
  await model.deleteMany({ _id: { $in: ids } })
  for (const id of ids) await audioStore.uploads.remove(id.toHexString())
  return ids.length
}

/** Returns the ids of files that belong to no upload, as left by a crash or the restore of an older database. */
export async function listStrayUploadFiles({ connection, audioStore }: UploadStores): Promise<string[]> {
  const ids = await audioStore.uploads.list()
  const known = await uploadModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) } }, { _id: 1 })
    .lean()
  const knownIds = new Set(known.map(({ _id }) => _id.toHexString()))
  return ids.filter((id) => !knownIds.has(id))
}

/** Deletes files that belong to no upload, and returns how many. An upload has its document before its file. */
export async function removeStrayUploadFiles(stores: UploadStores): Promise<number> {
  const stray = await listStrayUploadFiles(stores)
  for (const id of stray) await stores.audioStore.uploads.remove(id)
  return stray.length
}
