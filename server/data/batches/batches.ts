import { Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { maxOpenBatches, type BatchCounts } from '#contract/batches.ts'
import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { insertInSlot } from '../slots.ts'
import { insertItems, removeItems } from './batch-items.ts'
import { batchModel, type BatchDocument } from './batch-model.ts'

/** Work requested for many recordings at once. */
export interface BatchRecord extends Omit<BatchDocument, '_id' | 'ownerId' | 'slot'> {
  id: string
  ownerId: string
}

/** How a batch transcribes. */
export type BatchTranscriptionRecord = NonNullable<BatchRecord['transcribe']>

export type NewBatch = Pick<BatchRecord, 'ownerId' | 'transcribe' | 'targetLanguages' | 'redo'>

/** The maximum number of batches in a list. */
const maxListed = 100
const dayMs = 24 * 3600 * 1000
/** How long finished batches are kept. */
const keptMs = 30 * dayMs
/** Storing the recordings of a batch takes a second or two: after this long, the server doing it must have died. */
const preparationTimeoutMs = 10 * 60_000

const noCounts: BatchCounts = { waiting: 0, running: 0, done: 0, failed: 0, skipped: 0, cancelled: 0 }

/**
 * Stores a batch with its recordings, which wait. A batch left half stored by a crash stays hidden and is removed later. Throws
 * `conflict` where too many batches of the owner have not ended; retried batches count too, but are never rejected.
 */
export async function insertBatch(
  connection: DatabaseConnection,
  batch: NewBatch,
  recordingIds: string[],
): Promise<BatchRecord> {
  const now = await readDatabaseTime(connection)
  const document: BatchDocument = {
    ...batch,
    _id: new Types.ObjectId(),
    ownerId: toObjectId(batch.ownerId),
    state: 'preparing',
    total: recordingIds.length,
    counts: { ...noCounts, waiting: recordingIds.length },
    since: await nextChange(connection),
    createdAt: now,
    startedAt: now,
    finishedAt: null,
  }
  const model = batchModel(connection)
  const open = { scope: { ownerId: document.ownerId }, counted: { finishedAt: null } }
  await insertInSlot({ model, ...open, max: maxOpenBatches, fullError: tooManyBatches }, (slot) =>
    model.create({ ...document, slot }),
  )
  const { _id, since } = document
  const isToTranscribe = batch.transcribe !== null
  await insertItems(
    connection,
    { batchId: _id.toHexString(), ownerId: batch.ownerId, since, isToTranscribe },
    recordingIds,
  )
  await model.updateOne({ _id, ownerId: document.ownerId }, { $set: { state: 'running' } })
  return toBatchRecord({ ...document, state: 'running' })
}

/** Returns a batch of this owner, or null. */
export async function findBatch(
  connection: DatabaseConnection,
  ownerId: string,
  id: string,
): Promise<BatchRecord | null> {
  const found = await batchModel(connection)
    .findOne({ _id: toObjectId(id), ownerId: toObjectId(ownerId), state: { $ne: 'preparing' } })
    .lean<BatchDocument>()
  return found && toBatchRecord(found)
}

/** Returns the batches of an owner, newest first, at most 100. */
export async function listBatches(connection: DatabaseConnection, ownerId: string): Promise<BatchRecord[]> {
  const found = await batchModel(connection)
    .find({ ownerId: toObjectId(ownerId), state: { $ne: 'preparing' } })
    .sort({ createdAt: -1 })
    .limit(maxListed)
    .lean<BatchDocument[]>()
  return found.map(toBatchRecord)
}

/** Returns the batches of all owners with waiting or running recordings, oldest first, at most 1,000. */
export async function findOpenBatches(connection: DatabaseConnection): Promise<BatchRecord[]> {
  const found = await batchModel(connection)
    .find({ finishedAt: null })
    .sort({ createdAt: 1 })
    .limit(1_000)
    .lean<BatchDocument[]>()
  return found.filter(({ state }) => state !== 'preparing').map(toBatchRecord)
}

/** Cancels a running batch: nothing more of it is queued. Returns the updated batch; null where the owner has no such batch. */
export async function cancelBatch(
  connection: DatabaseConnection,
  ownerId: string,
  id: string,
): Promise<BatchRecord | null> {
  await batchModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId), state: 'running' },
    { $set: { state: 'cancelled' } },
  )
  return findBatch(connection, ownerId, id)
}

/** Makes a batch run again, for instance to retry its failures. */
export async function resumeBatch(connection: DatabaseConnection, ownerId: string, id: string): Promise<void> {
  const startedAt = await readDatabaseTime(connection)
  await batchModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId) },
    { $set: { state: 'running', startedAt, finishedAt: null }, $unset: { notifyOwner: 1 } },
  )
}

/** Stores how many recordings are in each state, and ends the batch if none waits or runs. Returns whether it has ended. */
export async function saveCounts(
  connection: DatabaseConnection,
  { id, ownerId, state, startedAt }: Pick<BatchRecord, 'id' | 'ownerId' | 'state' | 'startedAt'>,
  counts: BatchCounts,
): Promise<boolean> {
  const isEnded = counts.waiting + counts.running === 0
  const finishedAt = isEnded ? await readDatabaseTime(connection) : null
  const ending = { finishedAt, ...(state === 'running' && { state: 'done' as const, notifyOwner: true as const }) }
  await batchModel(connection).updateOne(
    // Cancelling it in the meantime changes its state, and resuming it its start: the next round then counts again.
    { _id: toObjectId(id), ownerId: toObjectId(ownerId), state, startedAt },
    { $set: { counts, ...(isEnded && ending) }, ...(isEnded && { $unset: { slot: 1 } }) },
  )
  return isEnded
}

/** Claims and returns a batch whose owner has yet to be mailed about its end; null where there is none. */
export async function claimEndedBatch(connection: DatabaseConnection): Promise<BatchRecord | null> {
  const found = await batchModel(connection)
    .findOneAndUpdate({ notifyOwner: true }, { $unset: { notifyOwner: 1 } })
    .lean<BatchDocument>()
  return found && toBatchRecord(found)
}

/** Deletes the batches of an owner. */
export async function removeBatches(connection: DatabaseConnection, ownerId: string): Promise<void> {
  await batchModel(connection).deleteMany({ ownerId: toObjectId(ownerId) })
  await removeItems(connection, { ownerId })
}

/** Deletes batches that ended over 30 days ago, and those that were never completely stored. */
export async function removeOldBatches(connection: DatabaseConnection): Promise<void> {
  const now = (await readDatabaseTime(connection)).getTime()
  const model = batchModel(connection)
  const [ended, abandoned] = await Promise.all([
    model
      .find({ finishedAt: { $gt: new Date(0), $lt: new Date(now - keptMs) } }, { _id: 1 })
      .limit(100)
      .lean(),
    model
      .find(
        { finishedAt: null, createdAt: { $lt: new Date(now - preparationTimeoutMs) }, state: 'preparing' },
        { _id: 1 },
      )
      .limit(100)
      .lean(),
  ])
  for (const { _id } of [...ended, ...abandoned]) {
    await removeItems(connection, { batchId: _id.toHexString() })
    await model.deleteOne({ _id })
  }
}

function tooManyBatches(): AppError {
  return new AppError('conflict', `You have ${maxOpenBatches} batches at work, the most one person may have`, {
    help: 'Wait until one of them is done, or cancel one, then try again.',
  })
}

function toBatchRecord({ _id, ownerId, slot: _slot, ...fields }: BatchDocument): BatchRecord {
  return { ...fields, id: _id.toHexString(), ownerId: ownerId.toHexString() }
}
