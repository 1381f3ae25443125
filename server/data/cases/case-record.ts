import type { CaseRole } from '#contract/cases.ts'
import { toHoldRecord, type HoldRecord } from '../holds/held.ts'
import type { CaseDocument, StoredMember } from './case-model.ts'

export interface MemberRecord {
  userId: string
  role: CaseRole
  addedAt: Date
}

export interface CaseRecord extends Omit<CaseDocument, '_id' | 'ownerId' | 'members' | 'slot' | 'hold'> {
  id: string
  ownerId: string
  /** With the owner, who is the first. */
  members: MemberRecord[]
  hold?: HoldRecord
}

export function toCaseRecord({ _id, ownerId, members, slot: _slot, hold, ...fields }: CaseDocument): CaseRecord {
  return {
    ...fields,
    id: _id.toHexString(),
    ownerId: ownerId.toHexString(),
    members: members.map(toMemberRecord),
    ...(hold && { hold: toHoldRecord(hold) }),
  }
}

function toMemberRecord({ userId, role, addedAt }: StoredMember): MemberRecord {
  return { userId: userId.toHexString(), role, addedAt }
}

/** Returns a user's role in a case; null for no member. */
export function roleIn({ members }: Pick<CaseRecord, 'members'>, userId: string): CaseRole | null {
  return members.find((member) => member.userId === userId)?.role ?? null
}
