import type { CaseRole, MemberRole } from '#contract/cases.ts'
import { toHoldRecord, type HoldRecord } from '../holds/held.ts'
import type { CaseDocument, StoredInvitee, StoredMember } from './case-model.ts'

export interface MemberRecord {
  userId: string
  role: CaseRole
  addedAt: Date
}

export interface InviteeRecord {
  invitationId: string
  email: string
  role: MemberRole
  addedAt: Date
}

export interface CaseRecord extends Omit<CaseDocument, '_id' | 'ownerId' | 'members' | 'invitees' | 'slot' | 'hold'> {
  id: string
  ownerId: string
  /** Includes the owner, who comes first. */
  members: MemberRecord[]
  /** People with an invitation, which may have ended. They have no access. */
  invitees: InviteeRecord[]
  hold?: HoldRecord
}

export function toCaseRecord({
  _id,
  ownerId,
  members,
  invitees = [],
  slot: _slot,
  hold,
  ...fields
}: CaseDocument): CaseRecord {
  return {
    ...fields,
    id: _id.toHexString(),
    ownerId: ownerId.toHexString(),
    members: members.map(toMemberRecord),
    invitees: invitees.map(toInviteeRecord),
    ...(hold && { hold: toHoldRecord(hold) }),
  }
}

function toMemberRecord({ userId, role, addedAt }: StoredMember): MemberRecord {
  return { userId: userId.toHexString(), role, addedAt }
}

function toInviteeRecord({ invitationId, ...fields }: StoredInvitee): InviteeRecord {
  return { ...fields, invitationId: invitationId.toHexString() }
}

/** Returns a user's role in a case; null for non-members. */
export function roleIn({ members }: Pick<CaseRecord, 'members'>, userId: string): CaseRole | null {
  return members.find((member) => member.userId === userId)?.role ?? null
}
