import { AppError } from '#contract/app-error.ts'
import { maxCaseRecordings } from '#contract/cases.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { holdAdded } from '../holds/case-holds.ts'
import { toObjectId } from '../ids.ts'
import { openQueue } from '../jobs/queue.ts'
import { inChunks } from '../library/in-chunks.ts'
import { ignoreTaken, insertManyInSlots } from '../slots.ts'
import { caseModel, type CaseDocument } from './case-model.ts'
import { roleIn, toCaseRecord, type CaseRecord } from './case-record.ts'
import { caseRecordingModel, type CaseRecordingDocument } from './case-recording-model.ts'
import { shown } from './hidden-recordings.ts'

export interface CaseRecordingRecord {
  recordingId: string
  /** The owner of the recording. */
  ownerId: string
  addedAt: Date
}

/**
 * Adds recordings of one owner to a case and returns the ids of those that were new. The caller has checked that the owner may; an owner
 * removed from the case in the meantime adds none. A case on hold holds them. Throws `conflict` where the case would have too many.
 *
 * @param recordingIds of this owner
 */
export async function addRecordingsToCase(
  connection: DatabaseConnection,
  { caseId, ownerId, recordingIds }: { caseId: string; ownerId: string; recordingIds: string[] },
): Promise<string[]> {
  const model = caseRecordingModel(connection)
  const owned = { caseId: toObjectId(caseId), ownerId: toObjectId(ownerId) }
  const addedAt = await readDatabaseTime(connection)
  const added = await listMissing(connection, caseId, recordingIds)
  const limit = { model, scope: { caseId: owned.caseId }, max: maxCaseRecordings, fullError: tooManyRecordings }
  await insertManyInSlots(limit, {
    listMissing: () => listMissing(connection, caseId, added),
    insert: (items) =>
      inChunks(items, async (chunk) => {
        // Upserts, so that neither of two simultaneous requests fails.
        const upserts = chunk.map(({ item, slot }) => ({
          updateOne: {
            filter: { recordingId: toObjectId(item), caseId: owned.caseId },
            update: { $setOnInsert: { ownerId: owned.ownerId, addedAt, slot } },
            upsert: true,
          },
        }))
        await ignoreTaken(model.bulkWrite(upserts, { ordered: false }))
      }),
  })
  const isStillMember = await caseModel(connection).exists({ _id: owned.caseId, 'members.userId': owned.ownerId })
  if (isStillMember && added.length > 0) await touchCase(connection, caseId, addedAt)
  if (!isStillMember) await model.deleteMany(owned)
  else await holdAdded(openQueue(connection), caseId, added)
  return isStillMember ? added : []
}

/** Returns the recordings that are not in a case. */
async function listMissing(connection: DatabaseConnection, caseId: string, recordingIds: string[]): Promise<string[]> {
  const missing: string[] = []
  await inChunks(recordingIds, async (chunk) => {
    const known = await caseRecordingModel(connection)
      .find({ recordingId: { $in: chunk.map(toObjectId) }, caseId: toObjectId(caseId) }, { recordingId: 1 })
      .lean()
    const knownIds = new Set(known.map(({ recordingId }) => recordingId.toHexString()))
    missing.push(...chunk.filter((id) => !knownIds.has(id)))
  })
  return missing
}

/**
 * Adds a recording to a case as its owner. Returns `present` where the case already has it, `refused` where it cannot be added: there is no
 * such case, the owner is not a member with `edit`, or the case is full.
 */
export async function addRecordingToCase(
  connection: DatabaseConnection,
  { caseId, userId, recordingId }: { caseId: string; userId: string; recordingId: string },
): Promise<'added' | 'present' | 'refused'> {
  const found = await caseModel(connection)
    .findOne({ _id: toObjectId(caseId), 'members.userId': toObjectId(userId) })
    .lean<CaseDocument>()
  const role = found && roleIn(toCaseRecord(found), userId)
  if (role !== 'owner' && role !== 'edit') return 'refused'
  try {
    const added = await addRecordingsToCase(connection, { caseId, ownerId: userId, recordingIds: [recordingId] })
    return added.length > 0 ? 'added' : 'present'
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return 'refused'
    throw error
  }
}

/** Removes a recording from a case. Returns whether the case had it. */
export async function removeRecordingFromCase(
  connection: DatabaseConnection,
  caseId: string,
  recordingId: string,
): Promise<boolean> {
  const { deletedCount } = await caseRecordingModel(connection).deleteOne({
    recordingId: toObjectId(recordingId),
    caseId: toObjectId(caseId),
  })
  if (deletedCount === 1) await touchCase(connection, caseId, await readDatabaseTime(connection))
  return deletedCount === 1
}

/** Removes a deleted recording from every case. */
export async function removeRecordingFromCases(connection: DatabaseConnection, recordingId: string): Promise<void> {
  await caseRecordingModel(connection).deleteMany({ recordingId: toObjectId(recordingId) })
}

/** Returns the recording of a case, or null. */
export async function findCaseRecording(
  connection: DatabaseConnection,
  caseId: string,
  recordingId: string,
): Promise<CaseRecordingRecord | null> {
  const found = await caseRecordingModel(connection)
    .findOne({ recordingId: toObjectId(recordingId), caseId: toObjectId(caseId) })
    .lean<CaseRecordingDocument>()
  return found && toRecord(found)
}

/** Returns a page of the recordings of a case, last added first. */
export async function pageCaseRecordings(
  connection: DatabaseConnection,
  caseId: string,
  { page, perPage }: { page: number; perPage: number },
): Promise<CaseRecordingRecord[]> {
  const found = await caseRecordingModel(connection)
    .find({ caseId: toObjectId(caseId), ...shown })
    .sort({ addedAt: -1, _id: -1 })
    .skip((page - 1) * perPage)
    .limit(perPage)
    .lean<CaseRecordingDocument[]>()
  return found.map(toRecord)
}

/** Returns all recordings of a case for one of its members, in no particular order; none for anyone else. */
export async function listCaseRecordings(
  connection: DatabaseConnection,
  userId: string,
  caseId: string,
): Promise<{ recordingId: string; ownerId: string }[]> {
  const found = await caseModel(connection)
    .findOne({ _id: toObjectId(caseId), 'members.userId': toObjectId(userId) })
    .lean<CaseDocument>()
  if (!found) return []
  const members = new Set(found.members.map((member) => member.userId.toHexString()))
  const rows = await caseRecordingModel(connection)
    .find({ caseId: found._id, ...shown }, { recordingId: 1, ownerId: 1 })
    .lean<CaseRecordingDocument[]>()
  return rows.map(toRecord).filter(({ ownerId }) => members.has(ownerId))
}

/** Returns the number of recordings of each case, excluding the trash, by the case's id; cases without any are missing. */
export async function countCaseRecordings(
  connection: DatabaseConnection,
  caseIds: string[],
): Promise<Map<string, number>> {
  const counts = await caseRecordingModel(connection).aggregate<{
    _id: CaseRecordingDocument['caseId']
    count: number
  }>([
    { $match: { caseId: { $in: caseIds.map(toObjectId) }, ...shown } },
    { $group: { _id: '$caseId', count: { $sum: 1 } } },
  ])
  return new Map(counts.map(({ _id, count }) => [_id.toHexString(), count]))
}

/** Returns the cases of recordings where a user is a member, by the id of the recording. */
export async function listCasesOfRecordings(
  connection: DatabaseConnection,
  userId: string,
  recordingIds: string[],
): Promise<Map<string, CaseRecord[]>> {
  const rows = await caseRecordingModel(connection)
    .find({ recordingId: { $in: recordingIds.map(toObjectId) } }, { recordingId: 1, caseId: 1 })
    .lean<CaseRecordingDocument[]>()
  const found = await caseModel(connection)
    .find({ _id: { $in: rows.map(({ caseId }) => caseId) }, 'members.userId': toObjectId(userId) })
    .sort({ updatedAt: -1 })
    .lean<CaseDocument[]>()
  const cases = found.map(toCaseRecord)
  const byRecording = Map.groupBy(rows, ({ recordingId }) => recordingId.toHexString())
  return new Map(
    [...byRecording].map(([id, own]) => {
      const ids = new Set(own.map(({ caseId }) => caseId.toHexString()))
      return [id, cases.filter((each) => ids.has(each.id))]
    }),
  )
}

async function touchCase(connection: DatabaseConnection, caseId: string, updatedAt: Date): Promise<void> {
  await caseModel(connection).updateOne({ _id: toObjectId(caseId) }, { $set: { updatedAt } })
}

function toRecord({ recordingId, ownerId, addedAt }: CaseRecordingDocument): CaseRecordingRecord {
  return { recordingId: recordingId.toHexString(), ownerId: ownerId.toHexString(), addedAt }
}

function tooManyRecordings(): AppError {
  return new AppError('conflict', `A case has at most ${maxCaseRecordings.toLocaleString('en')} recordings`)
}
