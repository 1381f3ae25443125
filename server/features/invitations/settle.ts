import type { Clock } from '#data/clock.ts'
import type { InvitationRecord } from '#data/invitations/invitation-record.ts'
import type { InvitationRepository } from '#data/invitations/invitations.ts'
import type { UserAddresses } from '#data/users/user-addresses.ts'
import type { Outbox } from '../mail/outbox.ts'
import { systemOrigin, type Audit } from '../audit/service.ts'
import { canInvite } from './policy.ts'

interface SettleDeps {
  invitations: InvitationRepository
  addresses: UserAddresses
  outbox: Pick<Outbox, 'removeFor'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/**
 * Brings pending invitations up to date with the accounts: people who got a verified account in another way have accepted theirs, and
 * invitations by somebody who may no longer give the role are void. Checked when invitations are read, so that no way in or out is
 * forgotten.
 */
export function createSettle({ invitations, addresses, outbox, audit, clock }: SettleDeps) {
  /** Returns whether the inviter still may give the role. */
  async function isBacked(invitation: InvitationRecord): Promise<boolean> {
    return (await findUnbacked([invitation])).length === 0
  }

  async function findUnbacked(pending: InvitationRecord[]): Promise<InvitationRecord[]> {
    const inviterIds = new Set(pending.flatMap(({ inviterId }) => inviterId ?? []))
    const roles = await addresses.findActiveRoles([...inviterIds])
    return pending.filter(
      ({ inviterId, role }) => inviterId !== null && !canInvite(roles.get(inviterId) ?? 'user', role),
    )
  }

  async function settle(): Promise<void> {
    const now = new Date(clock.now())
    const pending = await invitations.listPending(now)
    if (pending.length === 0) return
    const verified = await addresses.findTaken(
      pending.map(({ email }) => email),
      { isVerified: true },
    )
    const accepted = pending.filter(({ email }) => verified.has(email))
    const unbacked = await findUnbacked(pending.filter(({ email }) => !verified.has(email)))
    await invitations.close(idsOf(accepted), 'accepted', { acceptedAt: now })
    await invitations.close(idsOf(unbacked), 'revoked', { acceptedAt: null })
    for (const { id } of [...accepted, ...unbacked]) await outbox.removeFor(id, 'invitation')
    for (const { email } of unbacked) {
      const details = 'who invited may no longer give the role'
      await audit.record({ action: 'invitation.revoke', outcome: 'success', target: email, details }, systemOrigin)
    }
  }

  return { settle, isBacked }
}

function idsOf(invitations: InvitationRecord[]): string[] {
  return invitations.map(({ id }) => id)
}
