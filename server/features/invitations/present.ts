import type { Invitation } from '#contract/entities/invitation.ts'
import { stateOf, type InvitationRecord } from '#data/invitations/invitation-record.ts'

/** Returns an invitation as administrators see it: without its link. */
export function presentInvitation(invitation: InvitationRecord, now: number): Invitation {
  return {
    id: invitation.id,
    email: invitation.email,
    first_name: invitation.firstName,
    last_name: invitation.lastName,
    role: invitation.role,
    state: stateOf(invitation, now),
    invited_by: invitation.inviterName,
    created_at: invitation.createdAt.toISOString(),
    sent_at: invitation.sentAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
    accepted_at: invitation.acceptedAt?.toISOString() ?? null,
  }
}
