import { AppError } from '#contract/app-error.ts'
import { maxOpenUploads } from '#contract/endpoints/uploads.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { insertInSlot } from '../slots.ts'
import { uploadModel, type UploadDocument } from './upload-model.ts'

/** An unfinished resumable upload. */
export interface UploadRecord {
  id: string
  ownerId: string
  name: string
  /** The extension of its name. */
  extension: string
  /** Lets the client recognize its file; empty where it gave none. */
  fingerprint: string
  sizeBytes: number
  /** Bytes known to be on disk. */
  receivedBytes: number
  createdAt: Date
  expiresAt: Date
}

export type NewUploadRecord = Pick<UploadRecord, 'id' | 'ownerId' | 'name' | 'extension' | 'fingerprint' | 'sizeBytes'>

/** Stores an upload that has received nothing yet. Throws `conflict` where its owner has the maximum number of open uploads. */
export async function insertUpload(
  connection: DatabaseConnection,
  { id, ownerId, ...facts }: NewUploadRecord,
  expiryMs: number,
): Promise<UploadRecord> {
  const now = await readDatabaseTime(connection)
  const model = uploadModel(connection)
  const scope = { ownerId: toObjectId(ownerId) }
  const fields = { ...facts, receivedBytes: 0, heldBytes: facts.sizeBytes, createdAt: now }
  const expiresAt = new Date(now.getTime() + expiryMs)
  const created = await insertInSlot({ model, scope, max: maxOpenUploads, fullError: tooManyUploads }, (slot) =>
    model.create({ ...scope, ...fields, _id: toObjectId(id), expiresAt, slot }),
  )
  return toRecord(created.toObject())
}

/** Returns an upload of this owner that has not expired, or null. */
export async function findUpload(
  connection: DatabaseConnection,
  ownerId: string,
  id: string,
): Promise<UploadRecord | null> {
  const found = await uploadModel(connection)
    .findOne({
      _id: toObjectId(id),
      ownerId: toObjectId(ownerId),
      expiresAt: { $gt: await readDatabaseTime(connection) },
    })
    .lean<UploadDocument>()
  return found && toRecord(found)
}

/** Returns the uploads of an owner that have not expired, oldest first. */
export async function listUploads(connection: DatabaseConnection, ownerId: string): Promise<UploadRecord[]> {
  const now = await readDatabaseTime(connection)
  const found = await uploadModel(connection)
    .find({ ownerId: toObjectId(ownerId), expiresAt: { $gt: now } })
    .sort({ createdAt: 1 })
    .limit(maxOpenUploads)
    .lean<UploadDocument[]>()
  return found.map(toRecord)
}

/**
 * Records that bytes were received, and defers the expiry. Returns false where the upload is gone, `holder` does not have its turn, or
 * another writer has recorded something since `before`.
 */
export async function recordReceived(
  connection: DatabaseConnection,
  {
    ownerId,
    id,
    holder,
    before,
    after,
    expiryMs,
  }: { ownerId: string; id: string; holder: string; before: number; after: number; expiryMs: number },
): Promise<boolean> {
  const expiresAt = new Date((await readDatabaseTime(connection)).getTime() + expiryMs)
  const { matchedCount } = await uploadModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId), 'turn.holder': holder, receivedBytes: before },
    { $set: { receivedBytes: after, expiresAt } },
  )
  return matchedCount === 1
}

/** Sets how many bytes an upload counts against the quota. */
export async function setHeldBytes(
  connection: DatabaseConnection,
  { ownerId, id }: Pick<UploadRecord, 'ownerId' | 'id'>,
  heldBytes: number,
): Promise<void> {
  await uploadModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId) },
    { $set: { heldBytes } },
  )
}

/** Returns the bytes that the uploads of an owner count against the quota. */
export async function sumHeldBytes(connection: DatabaseConnection, ownerId: string, now: Date): Promise<number> {
  const [sum] = await uploadModel(connection).aggregate<{ bytes: number }>([
    { $match: { ownerId: toObjectId(ownerId), expiresAt: { $gt: now } } },
    { $group: { _id: null, bytes: { $sum: '$heldBytes' } } },
  ])
  return sum?.bytes ?? 0
}

function tooManyUploads(): AppError {
  return new AppError('conflict', `You have ${maxOpenUploads} unfinished uploads.`, {
    help: 'Finish or discard one of them first.',
  })
}

function toRecord({
  _id,
  ownerId,
  slot: _slot,
  heldBytes: _heldBytes,
  turn: _turn,
  ...fields
}: UploadDocument): UploadRecord {
  return { ...fields, id: _id.toHexString(), ownerId: ownerId.toHexString() }
}
