import type { InvitationState } from '#contract/entities/invitation.ts'
import { withId } from '../ids.ts'
import type { InvitationDocument } from './invitation-model.ts'

export type InvitationRecord = Omit<InvitationDocument, '_id' | 'inviterId'> & { id: string; inviterId: string | null }

export function toInvitationRecord(document: InvitationDocument): InvitationRecord {
  return { ...withId(document), inviterId: document.inviterId?.toHexString() ?? null }
}

export function stateOf(
  { status, expiresAt }: Pick<InvitationRecord, 'status' | 'expiresAt'>,
  now: number,
): InvitationState {
  if (status === 'accepted' || status === 'revoked') return status
  return expiresAt.getTime() > now ? 'pending' : 'expired'
}
