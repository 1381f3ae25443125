import type { MemberRole } from '#contract/cases.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { removeWordLists } from '../word-lists/word-lists.ts'
import { caseModel, type CaseDocument } from './case-model.ts'
import type { CaseRecord } from './case-record.ts'
import { caseRecordingModel } from './case-recording-model.ts'
import { changeMembers } from './member-lists.ts'

interface NewMember {
  userId: string
  /** The user's address: an invitee with this address is no longer listed as one. */
  email: string
  role: MemberRole
  maxMembers: number
  mayAdd: boolean
}

/**
 * Adds a member where `mayAdd`, or changes the role of one; the owner's role never changes. Returns null where there is no such case,
 * `full` where it has the maximum number of members, `removed` where there is no such member to change.
 */
export async function setMember(
  connection: DatabaseConnection,
  caseId: string,
  { userId, email, role, maxMembers, mayAdd }: NewMember,
): Promise<CaseRecord | null | 'full' | 'removed'> {
  const id = toObjectId(userId)
  const addedAt = await readDatabaseTime(connection)
  let isFull = false
  let isRemoved = false
  const changed = await changeMembers(connection, caseId, (lists) => {
    const { members } = lists
    const known = members.find((member) => member.userId.equals(id))
    const invitees = lists.invitees.filter((invitee) => invitee.email !== email)
    isRemoved = !known && !mayAdd
    isFull = !known && members.length + invitees.length >= maxMembers
    const isUnchanged = known?.role === role && invitees.length === lists.invitees.length
    if (isRemoved || isFull || known?.role === 'owner' || isUnchanged) return lists
    if (!known) return { members: [...members, { userId: id, role, addedAt }], invitees }
    return { members: members.map((member) => (member === known ? { ...member, role } : member)), invitees }
  })
  if (changed && isRemoved) return 'removed'
  return isFull ? 'full' : changed
}

/**
 * Removes a member with the member's recordings. The owner stays. Access ends with the first of the two writes: a recording counts as part
 * of the case only while its owner is a member. Recordings of a case on hold leave it when the hold is lifted.
 */
export async function removeMember(
  connection: DatabaseConnection,
  caseId: string,
  userId: string,
): Promise<CaseRecord | null> {
  const id = toObjectId(userId)
  const changed = await changeMembers(connection, caseId, (lists) => {
    const members = lists.members.filter((member) => member.role === 'owner' || !member.userId.equals(id))
    return members.length === lists.members.length ? lists : { ...lists, members }
  })
  if (changed?.ownerId !== userId && !changed?.hold)
    await caseRecordingModel(connection).deleteMany({ ownerId: id, caseId: toObjectId(caseId) })
  return changed
}

/** Maximum number of cases searched for people, last changed first. */
const maxLookedThrough = 200

/** Returns the ids of the members of a user's cases, each once, the user included. */
export async function listCoMemberIds(connection: DatabaseConnection, user: string): Promise<string[]> {
  const found = await caseModel(connection)
    .find({ 'members.userId': toObjectId(user) }, { 'members.userId': 1 })
    .sort({ updatedAt: -1 })
    .limit(maxLookedThrough)
    .lean<Pick<CaseDocument, 'members'>[]>()
  return [...new Set(found.flatMap(({ members }) => members.map(({ userId }) => userId.toHexString())))]
}

/** Deletes a user's cases, as part of deleting the user. Returns whether all are gone: cases on hold stay. */
export async function removeOwnCases(connection: DatabaseConnection, user: string): Promise<boolean> {
  const ownerId = toObjectId(user)
  const cases = caseModel(connection)
  const own = await cases.find({ ownerId }, { _id: 1 }).lean()
  await cases.deleteMany({ ownerId, hold: null })
  const left = await cases.find({ ownerId }, { _id: 1 }).lean()
  const kept = new Set(left.map(({ _id }) => _id.toHexString()))
  const removed = own.filter(({ _id }) => !kept.has(_id.toHexString()))
  await caseRecordingModel(connection).deleteMany({ caseId: { $in: removed.map(({ _id }) => _id) } })
  await removeWordLists(
    connection,
    'case',
    removed.map(({ _id }) => _id.toHexString()),
  )
  return kept.size === 0
}

/** Removes a user from the cases of others, and the user's recordings from all cases, as part of deleting the user. */
export async function removeUserFromCases(connection: DatabaseConnection, user: string): Promise<void> {
  const userId = toObjectId(user)
  const cases = caseModel(connection)
  const recordings = caseRecordingModel(connection)
  await cases.updateMany({ 'members.userId': userId }, { $pull: { members: { userId } }, $inc: { revision: 1 } })
  await recordings.deleteMany({ ownerId: userId })
}
