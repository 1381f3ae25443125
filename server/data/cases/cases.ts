import type { QueryFilter } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { maxOwnCases, type CaseColour } from '#contract/cases.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { keepState, removeKeptStates } from '../holds/kept-states.ts'
import { toObjectId } from '../ids.ts'
import { literalPattern } from '../model.ts'
import { insertInSlot } from '../slots.ts'
import { removeWordLists } from '../word-lists/word-lists.ts'
import { caseModel, type CaseDocument } from './case-model.ts'
import { toCaseRecord, type CaseRecord } from './case-record.ts'
import { caseRecordingModel } from './case-recording-model.ts'

export interface NewCase {
  ownerId: string
  name: string
  colour: CaseColour
  notes: string
}

/** Stores a case with its owner as the only member. Throws `conflict` where the owner has the maximum number of cases. */
export async function insertCase(connection: DatabaseConnection, { ownerId, ...fields }: NewCase): Promise<CaseRecord> {
  const now = await readDatabaseTime(connection)
  const userId = toObjectId(ownerId)
  const model = caseModel(connection)
  const document = {
    ...fields,
    ownerId: userId,
    members: [{ userId, role: 'owner' as const, addedAt: now }],
    createdAt: now,
    updatedAt: now,
    revision: 1,
  }
  const limit = { model, scope: { ownerId: userId }, max: maxOwnCases, fullError: tooManyCases }
  const created = await insertInSlot(limit, (slot) => model.create({ ...document, slot }))
  return toCaseRecord(created.toObject())
}

/** Returns a case, or null, without an access check: the caller checks the members. */
export async function findCase(connection: DatabaseConnection, id: string): Promise<CaseRecord | null> {
  const found = await caseModel(connection)
    .findOne({ _id: toObjectId(id) })
    .lean<CaseDocument>()
  return found && toCaseRecord(found)
}

/** Returns cases by their ids, without an access check; those that do not exist are missing. */
export async function findCasesById(connection: DatabaseConnection, ids: string[]): Promise<Map<string, CaseRecord>> {
  const found = await caseModel(connection)
    .find({ _id: { $in: [...new Set(ids)].map(toObjectId) } })
    .lean<CaseDocument[]>()
  return new Map(found.map((each) => [each._id.toHexString(), toCaseRecord(each)]))
}

export interface CaseQuery {
  /** The member whose cases are listed; null for all cases. */
  memberId: string | null
  /** Part of the name, case-insensitive. */
  search: string
  /** Only cases in which the member has `edit`. */
  canAdd: boolean
  page: number
  perPage: number
}

/** Returns a page of cases, last changed first, and the total number. */
export async function listCases(
  connection: DatabaseConnection,
  { memberId, search, canAdd, page, perPage }: CaseQuery,
): Promise<{ cases: CaseRecord[]; total: number }> {
  const filter: QueryFilter<CaseDocument> = {}
  if (memberId) filter['members.userId'] = toObjectId(memberId)
  if (memberId && canAdd)
    filter.members = { $elemMatch: { userId: toObjectId(memberId), role: { $in: ['owner', 'edit'] } } }
  if (search) filter.name = literalPattern(search)
  const model = caseModel(connection)
  const [found, total] = await Promise.all([
    model
      .find(filter)
      .sort({ updatedAt: -1 })
      .skip((page - 1) * perPage)
      .limit(perPage)
      .lean<CaseDocument[]>(),
    model.countDocuments(filter),
  ])
  return { cases: found.map(toCaseRecord), total }
}

/** Changes the given fields; returns null where there is no such case. The previous notes of a case on hold are kept. */
export async function updateCase(
  connection: DatabaseConnection,
  id: string,
  { name, colour, notes }: { name?: string | undefined; colour?: CaseColour | undefined; notes?: string | undefined },
): Promise<CaseRecord | null> {
  const updatedAt = await readDatabaseTime(connection)
  const changes = {
    updatedAt,
    ...(name !== undefined && { name }),
    ...(colour !== undefined && { colour }),
    ...(notes !== undefined && { notes }),
  }
  const cases = caseModel(connection)
  const update = (filter: QueryFilter<CaseDocument>) =>
    cases
      .findOneAndUpdate({ _id: toObjectId(id), ...filter }, { $set: changes }, { returnDocument: 'after' })
      .lean<CaseDocument>()
  const updated = (await update({ hold: null })) ?? (await keepAndUpdate(connection, id, () => update({})))
  return updated && toCaseRecord(updated)
}

async function keepAndUpdate<Result>(
  connection: DatabaseConnection,
  id: string,
  update: () => Promise<Result>,
): Promise<Result | null> {
  const before = await findCase(connection, id)
  if (!before) return null
  const { ownerId, name, notes } = before
  await keepState(connection, { ownerId, subjectId: id }, { kind: 'case_notes', state: { name, notes } })
  return update()
}

/**
 * Deletes a case with its words; its recordings stay with their owners. Access ends with the first write. Returns false and changes
 * nothing where there is no such case, or it is on hold.
 */
export async function removeCase(connection: DatabaseConnection, id: string): Promise<boolean> {
  const caseId = toObjectId(id)
  const removed = await caseModel(connection).findOneAndDelete({ _id: caseId, hold: null }).lean<CaseDocument>()
  if (!removed) return false
  await caseRecordingModel(connection).deleteMany({ caseId })
  await removeWordLists(connection, 'case', [id])
  await removeKeptStates(connection, { ownerId: removed.ownerId.toHexString(), subjectId: id })
  return true
}

function tooManyCases(): AppError {
  return new AppError('conflict', `You can own at most ${maxOwnCases} cases`, { help: 'Delete one that is closed.' })
}
