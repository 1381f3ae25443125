import type { MemberRole } from '#contract/cases.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { caseModel, type CaseDocument } from './case-model.ts'
import { toCaseRecord, type CaseRecord } from './case-record.ts'
import { changeMembers } from './member-lists.ts'

interface NewInvitee {
  invitationId: string
  email: string
  role: MemberRole
  /** Limit for members and invitees together. */
  maxMembers: number
}

/**
 * Adds a person with an invitation, or changes their future role; an entry of an earlier invitation to the address is replaced.
 * Returns null where there is no such case, `full` where it has the maximum number of members.
 */
export async function setInvitee(
  connection: DatabaseConnection,
  caseId: string,
  { email, role, maxMembers, ...fields }: NewInvitee,
): Promise<CaseRecord | null | 'full'> {
  const invitationId = toObjectId(fields.invitationId)
  const addedAt = await readDatabaseTime(connection)
  let isFull = false
  const changed = await changeMembers(connection, caseId, (lists) => {
    const known = lists.invitees.find((invitee) => invitee.invitationId.equals(invitationId))
    const others = lists.invitees.filter((invitee) => invitee.email !== email)
    isFull = !known && lists.members.length + others.length >= maxMembers
    if (isFull || known?.role === role) return lists
    return { ...lists, invitees: [...others, { invitationId, email, role, addedAt: known?.addedAt ?? addedAt }] }
  })
  return isFull ? 'full' : changed
}

/** Removes an invitee. Returns null where there is no such case. */
export async function removeInvitee(
  connection: DatabaseConnection,
  caseId: string,
  invitationId: string,
): Promise<CaseRecord | null> {
  const id = toObjectId(invitationId)
  return changeMembers(connection, caseId, (lists) => {
    const invitees = lists.invitees.filter((invitee) => !invitee.invitationId.equals(id))
    return invitees.length === lists.invitees.length ? lists : { ...lists, invitees }
  })
}

/** Returns the cases to which an address was invited, whatever became of the invitation. */
export async function listCasesByInvitee(connection: DatabaseConnection, email: string): Promise<CaseRecord[]> {
  const found = await caseModel(connection)
    .find({ 'invitees.email': { $eq: email } })
    .lean<CaseDocument[]>()
  return found.map(toCaseRecord)
}

/**
 * Makes an invitee a member, in one write. Returns the role; null where the invitee was removed in the meantime, or is already a
 * member.
 */
export async function promoteInvitee(
  connection: DatabaseConnection,
  caseId: string,
  { invitationId, userId }: { invitationId: string; userId: string },
): Promise<MemberRole | null> {
  const user = toObjectId(userId)
  const id = toObjectId(invitationId)
  const addedAt = await readDatabaseTime(connection)
  let role: MemberRole | null = null
  await changeMembers(connection, caseId, (lists) => {
    const invitee = lists.invitees.find((each) => each.invitationId.equals(id))
    const isMember = lists.members.some((member) => member.userId.equals(user))
    role = invitee && !isMember ? invitee.role : null
    if (!invitee) return lists
    const invitees = lists.invitees.filter((each) => each !== invitee)
    return { invitees, members: role ? [...lists.members, { userId: user, role, addedAt }] : lists.members }
  })
  return role
}

/** Removes an address from all cases, as part of deleting a user. */
export async function removeInviteesByEmail(connection: DatabaseConnection, email: string): Promise<void> {
  const filter = { 'invitees.email': { $eq: email } }
  await caseModel(connection).updateMany(filter, { $pull: { invitees: { email } }, $inc: { revision: 1 } })
}
