import { Types } from 'mongoose'
import { batchItemStates, type BatchCounts, type BatchItemState } from '#contract/batches.ts'
import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { batchItemModel, type BatchItemDocument } from './batch-item-model.ts'

/** A recording of a batch. */
export interface BatchItemRecord extends Omit<BatchItemDocument, '_id' | 'batchId' | 'ownerId' | 'recordingId'> {
  id: string
  batchId: string
  ownerId: string
  recordingId: string
}

/** The outcome of a recording of a batch. */
export interface ItemChange {
  item: Pick<BatchItemRecord, 'id' | 'state'>
  changes: Partial<Pick<BatchItemRecord, 'state' | 'reason' | 'dueAtMs'>>
}

/** Documents written by one command. */
const chunkSize = 1_000

/** Stores the recordings of a batch in order, all of them waiting. */
export async function insertItems(
  connection: DatabaseConnection,
  { batchId, ownerId, ...fields }: Pick<BatchItemRecord, 'batchId' | 'ownerId' | 'since' | 'isToTranscribe'>,
  recordingIds: string[],
): Promise<void> {
  const shared = { batchId: toObjectId(batchId), ownerId: toObjectId(ownerId), ...fields }
  const documents = recordingIds.map((id, position): BatchItemDocument => {
    const recordingId = toObjectId(id)
    return {
      ...shared,
      _id: new Types.ObjectId(),
      recordingId,
      position,
      state: 'waiting',
      reason: null,
      dueAtMs: position,
    }
  })
  for (let at = 0; at < documents.length; at += chunkSize) {
    // Through the driver: mongoose takes seconds to validate ten thousand documents.
    await batchItemModel(connection).collection.insertMany(documents.slice(at, at + chunkSize))
  }
}

/** Returns a page of the recordings of a batch in the order of the selection, and how many there are. */
export async function listItems(
  connection: DatabaseConnection,
  { batchId, state }: { batchId: string; state: BatchItemState | undefined },
  { page, perPage }: { page: number; perPage: number },
): Promise<{ items: BatchItemRecord[]; total: number }> {
  const filter = { batchId: toObjectId(batchId), ...(state && { state }) }
  // Each order has an index; they differ for recordings that were postponed or retried.
  const order = state ? 'dueAtMs' : 'position'
  const model = batchItemModel(connection)
  const [items, total] = await Promise.all([
    model
      .find(filter)
      .sort({ [order]: 1 })
      .skip((page - 1) * perPage)
      .limit(perPage)
      .lean<BatchItemDocument[]>(),
    model.countDocuments(filter),
  ])
  return { items: items.map(toItemRecord), total }
}

/** Returns the running recordings of a batch. */
export async function findRunningItems(
  connection: DatabaseConnection,
  batchId: string,
  limit: number,
): Promise<BatchItemRecord[]> {
  const found = await batchItemModel(connection)
    .find({ batchId: toObjectId(batchId), state: 'running' })
    .sort({ dueAtMs: 1 })
    .limit(limit)
    .lean<BatchItemDocument[]>()
  return found.map(toItemRecord)
}

/** Returns the recordings of a batch that are due. */
export async function findDueItems(
  connection: DatabaseConnection,
  batchId: string,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<BatchItemRecord[]> {
  const found = await batchItemModel(connection)
    .find({ batchId: toObjectId(batchId), state: 'waiting', dueAtMs: { $lte: nowMs } })
    .sort({ dueAtMs: 1 })
    .limit(limit)
    .lean<BatchItemDocument[]>()
  return found.map(toItemRecord)
}

/** Returns which of the recordings another batch of the owner is going to transcribe. */
export async function findTranscribedByOthers(
  connection: DatabaseConnection,
  { ownerId, batchId }: { ownerId: string; batchId: string },
  recordingIds: string[],
): Promise<Set<string>> {
  const found = await batchItemModel(connection)
    .find(
      {
        ownerId: toObjectId(ownerId),
        recordingId: { $in: recordingIds.map(toObjectId) },
        state: { $in: ['waiting', 'running'] },
        batchId: { $ne: toObjectId(batchId) },
        isToTranscribe: true,
      },
      { recordingId: 1 },
    )
    .limit(chunkSize)
    .lean()
  return new Set(found.map(({ recordingId }) => recordingId.toHexString()))
}

/** Changes a recording of a batch. Returns false if its state has changed in the meantime. */
export async function updateItem(
  connection: DatabaseConnection,
  { id, state }: Pick<BatchItemRecord, 'id' | 'state'>,
  changes: ItemChange['changes'],
): Promise<boolean> {
  const { matchedCount } = await batchItemModel(connection).updateOne({ _id: toObjectId(id), state }, { $set: changes })
  return matchedCount === 1
}

/** Changes several recordings of a batch in one command, each only if its state is still the same. */
export async function updateItems(connection: DatabaseConnection, changed: ItemChange[]): Promise<void> {
  if (changed.length === 0) return
  await batchItemModel(connection).bulkWrite(
    changed.map(({ item: { id, state }, changes }) => ({
      updateOne: { filter: { _id: toObjectId(id), state }, update: { $set: changes } },
    })),
    { ordered: false },
  )
}

/** Cancels all waiting recordings of a batch. */
export async function cancelWaitingItems(connection: DatabaseConnection, batchId: string): Promise<void> {
  await batchItemModel(connection).updateMany(
    { batchId: toObjectId(batchId), state: 'waiting' },
    { $set: { state: 'cancelled' } },
  )
}

/** Makes all failed recordings of a batch wait again. Returns how many there were. */
export async function retryFailedItems(connection: DatabaseConnection, batchId: string): Promise<number> {
  const since = await nextChange(connection)
  const { modifiedCount } = await batchItemModel(connection).updateMany(
    { batchId: toObjectId(batchId), state: 'failed' },
    { $set: { state: 'waiting', reason: null, since, dueAtMs: 0 } },
  )
  return modifiedCount
}

/** Counts the recordings of a batch by state. */
export async function countItems(connection: DatabaseConnection, batchId: string): Promise<BatchCounts> {
  const entries = await Promise.all(
    batchItemStates.map(async (state) => {
      const count = await batchItemModel(connection).countDocuments({ batchId: toObjectId(batchId), state })
      return [state, count] as const
    }),
  )
  return Object.fromEntries(entries) as BatchCounts // one entry for each state
}

/** Removes the recordings of one batch, or of all batches of an owner, from their batches. */
export async function removeItems(
  connection: DatabaseConnection,
  filter: { batchId: string } | { ownerId: string },
): Promise<void> {
  await batchItemModel(connection).deleteMany(
    'batchId' in filter ? { batchId: toObjectId(filter.batchId) } : { ownerId: toObjectId(filter.ownerId) },
  )
}

function toItemRecord({ _id, batchId, ownerId, recordingId, ...fields }: BatchItemDocument): BatchItemRecord {
  return {
    ...fields,
    id: _id.toHexString(),
    batchId: batchId.toHexString(),
    ownerId: ownerId.toHexString(),
    recordingId: recordingId.toHexString(),
  }
}
