import type { Types } from 'mongoose'
import { caseModel, type CaseDocument } from '../cases/case-model.ts'
import { toCaseRecord, type CaseRecord } from '../cases/case-record.ts'
import { caseRecordingModel } from '../cases/case-recording-model.ts'
import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import type { Queue } from '../jobs/queue.ts'
import { applyLifecycles } from '../library/apply-lifecycles.ts'
import { inChunks } from '../library/in-chunks.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { keptRecording } from '../recordings/lifecycle.ts'
import type { StoredCaseHold } from './held.ts'
import { replaceableBy, toStoredHold, type NewHold } from './recording-holds.ts'
import { awaitRemovals } from './removals.ts'

/** Maximum number of held cases checked in one run: far more than any installation has. */
const maxPerRun = 10_000
/** Sorts before every other id. */
const firstId = toObjectId('0'.repeat(24))

/**
 * Puts a case on hold, replacing any existing hold, with all of its recordings and any added later. Its recordings in the trash are
 * restored. By the time this returns, no deletion of any of them is still in progress. Returns null where there is no such case, or an
 * administrator holds it and `isByAdmin` is false.
 */
export async function setCaseHold(queue: Queue, id: string, hold: NewHold): Promise<CaseRecord | null> {
  const held = await caseModel(queue.connection)
    .findOneAndUpdate(
      { _id: toObjectId(id), ...replaceableBy(hold) },
      { $set: { hold: await toStoredHold(queue, hold) } },
      { returnDocument: 'after' },
    )
    .lean<CaseDocument>()
  if (!held) return null
  await spreadCaseHold(queue, id)
  return toCaseRecord(held)
}

/**
 * Lifts the hold with this id. Recordings of people who left the case in the meantime leave it now. Returns null where the case has no hold
 * with that id.
 */
export async function liftCaseHold(queue: Queue, id: string, holdId: string): Promise<CaseRecord | null> {
  const caseId = toObjectId(id)
  const lifted = await caseModel(queue.connection)
    .findOneAndUpdate(
      { _id: caseId, 'hold._id': toObjectId(holdId) },
      { $unset: { hold: 1 } },
      { returnDocument: 'after' },
    )
    .lean<CaseDocument>()
  if (!lifted) return null
  await spreadCaseHold(queue, id)
  const members = lifted.members.map(({ userId }) => userId)
  await caseRecordingModel(queue.connection).deleteMany({ caseId, ownerId: { $nin: members } })
  return toCaseRecord(lifted)
}

/**
 * Holds or releases the recordings of a case according to its current state. Repeats this if the hold changed in the meantime, so that
 * after two simultaneous changes the recordings follow the last; until then they are held rather than released.
 */
export async function spreadCaseHold(queue: Queue, id: string): Promise<void> {
  const { connection } = queue
  const caseId = toObjectId(id)
  for (;;) {
    const holdId = await readHoldId(connection, caseId)
    if (holdId) await holdRecordings(queue, { caseId, holdId }, await listRecordingIds(connection, caseId))
    await releaseOthers(connection, { caseId, holdId })
    const now = await readHoldId(connection, caseId)
    if (now?.toHexString() === holdId?.toHexString()) return
  }
}

/** Holds recordings added to a case, if the case is on hold. */
export async function holdAdded(queue: Queue, id: string, recordingIds: string[]): Promise<void> {
  const { connection } = queue
  const caseId = toObjectId(id)
  const holdId = await readHoldId(connection, caseId)
  if (!holdId) return
  await holdRecordings(queue, { caseId, holdId }, recordingIds.map(toObjectId))
  const now = await readHoldId(connection, caseId)
  if (now?.toHexString() !== holdId.toHexString()) await spreadCaseHold(queue, id)
}

const heldCase = { 'hold.setAt': { $gt: new Date(0) } }
const holdingRecording = { 'caseHolds.caseId': { $gt: firstId } }

/** Returns whether `reconcileCaseHolds` has something to compare. */
export async function hasCaseHolds(connection: DatabaseConnection): Promise<boolean> {
  if (await caseModel(connection).exists(heldCase)) return true
  return (await recordingModel(connection).exists(holdingRecording)) !== null
}

/** Finishes what a crash interrupted: holds the recordings of held cases, and releases those of other cases. */
export async function reconcileCaseHolds(queue: Queue): Promise<void> {
  const { connection } = queue
  const held = await caseModel(connection).find(heldCase, { _id: 1 }).limit(maxPerRun).lean()
  const holding = await recordingModel(connection).distinct('caseHolds.caseId', holdingRecording)
  const ids = [...held.map(({ _id }) => _id), ...holding].map(String)
  for (const id of new Set(ids)) await spreadCaseHold(queue, id)
}

/** Returns the cases of all owners that are on hold, most recently held first. */
export async function listHeldCases(connection: DatabaseConnection, limit: number): Promise<CaseRecord[]> {
  const found = await caseModel(connection)
    .find(heldCase)
    .sort({ 'hold.setAt': -1 })
    .limit(limit)
    .lean<CaseDocument[]>()
  return found.map(toCaseRecord)
}

async function readHoldId(connection: DatabaseConnection, caseId: Types.ObjectId): Promise<Types.ObjectId | undefined> {
  const found = await caseModel(connection).findOne({ _id: caseId }, { hold: 1 }).lean<Pick<CaseDocument, 'hold'>>()
  return found?.hold?._id
}

async function listRecordingIds(connection: DatabaseConnection, caseId: Types.ObjectId): Promise<Types.ObjectId[]> {
  const rows = await caseRecordingModel(connection).find({ caseId }, { recordingId: 1 }).lean()
  return rows.map(({ recordingId }) => recordingId)
}

async function holdRecordings(queue: Queue, hold: StoredCaseHold, ids: Types.ObjectId[]): Promise<void> {
  await inChunks(ids, async (chunk) => {
    await holdChunk(queue, hold, chunk)
    await awaitRemovals(
      queue.connection,
      chunk.map((id) => id.toHexString()),
    )
  })
}

async function holdChunk(queue: Queue, hold: StoredCaseHold, chunk: Types.ObjectId[]): Promise<void> {
  const { connection } = queue
  const recordings = recordingModel(connection)
  const _id = { $in: chunk }
  const notYet = { _id, ...keptRecording, 'caseHolds.holdId': { $ne: hold.holdId } }
  if (!(await recordings.exists(notYet))) return
  const trashed = await recordings.find({ _id, purgeAt: { $gt: new Date(0) } }, { ownerId: 1 }).lean()
  const change = await nextChange(connection)
  await recordings.updateMany(notYet, {
    $push: { caseHolds: hold },
    $set: { deletedAt: null, change },
    $unset: { purgeAt: 1 },
    $inc: { version: 1 },
  })
  for (const [ownerId, own] of Map.groupBy(trashed, (each) => each.ownerId.toHexString())) {
    await applyLifecycles(
      queue,
      ownerId,
      own.map((each) => each._id.toHexString()),
    )
  }
}

/** Removes what earlier holds of the case left in recordings, including recordings no longer in the case. */
async function releaseOthers(
  connection: DatabaseConnection,
  { caseId, holdId }: { caseId: Types.ObjectId; holdId: Types.ObjectId | undefined },
): Promise<void> {
  const others = holdId ? { caseId, holdId: { $ne: holdId } } : { caseId }
  const left = { 'caseHolds.caseId': caseId, caseHolds: { $elemMatch: others } }
  const recordings = recordingModel(connection)
  // Numbering a change wakes all followers of changes, and this runs every ten minutes.
  if (!(await recordings.exists(left))) return
  const change = await nextChange(connection)
  await recordings.updateMany(left, { $pull: { caseHolds: others }, $set: { change }, $inc: { version: 1 } })
}
