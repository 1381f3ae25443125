import { AppError } from '#contract/app-error.ts'
import type { InvitationState } from '#contract/entities/invitation.ts'
import type { Clock } from '#data/clock.ts'
import { stateOf, type InvitationRecord } from '#data/invitations/invitation-record.ts'
import type { InvitationRepository } from '#data/invitations/invitations.ts'
import type { UserAddresses } from '#data/users/user-addresses.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Audit } from '../audit/service.ts'
import type { Outbox } from '../mail/outbox.ts'
import { mailLeaseMs, type InvitationMailQueue } from './mail-queue.ts'
import { timesOf } from './new-invitation.ts'
import { assertCanInvite, type Inviter, type InviterContext } from './policy.ts'
import { recordAction } from './record-action.ts'

interface ChangesDeps {
  invitations: Pick<InvitationRepository, 'findById' | 'reopen' | 'close'>
  addresses: Pick<UserAddresses, 'findTaken'>
  mailQueue: Pick<InvitationMailQueue, 'start'>
  outbox: Pick<Outbox, 'removeFor'>
  limiter: Pick<RateLimiter, 'count'>
  audit: Pick<Audit, 'record'>
  clock: Clock
  settle: () => Promise<void>
  assertInvitationsOpen: () => Promise<void>
  describeInviter: (inviter: Inviter) => Promise<Pick<InvitationRecord, 'inviterId' | 'inviterName'>>
}

/** Maximum number of mails for one invitation in the hour after the first. */
const maxResendsPerHour = 5

const stateMessages: Record<InvitationState, string> = {
  pending: 'This invitation is pending.',
  expired: 'This invitation has expired already.',
  accepted: 'This invitation was accepted already.',
  revoked: 'This invitation was revoked. Please invite the person again.',
}

/** Changes to invitations that have been sent. */
export function createChanges(deps: ChangesDeps) {
  const { invitations, outbox, audit, clock } = deps

  /** Returns an up-to-date invitation that the inviter may change. Throws `not_found` or `forbidden`. */
  async function requireChangeable(inviter: Inviter, id: string): Promise<InvitationRecord> {
    await deps.settle()
    const invitation = await invitations.findById(id)
    if (!invitation) throw new AppError('not_found', 'Invitation not found')
    assertCanInvite(inviter, invitation.role)
    return invitation
  }

  /**
   * Mails a new link; from then on, the user who resends it is the inviter. Throws `conflict` if the invitation was accepted or revoked.
   */
  async function resend({ inviter, origin }: InviterContext, id: string): Promise<InvitationRecord> {
    await deps.assertInvitationsOpen()
    const invitation = await requireChangeable(inviter, id)
    assertState(invitation, ['pending', 'expired'])
    if ((await deps.addresses.findTaken([invitation.email])).has(invitation.email)) {
      throw new AppError('conflict', 'This address has an account by now.', { help: 'Revoke the invitation.' })
    }
    const message = 'This invitation was resent too often. Please wait before resending it again.'
    await deps.limiter.count({
      name: 'invitation-resend',
      key: id,
      limit: maxResendsPerHour,
      windowMs: 60 * 60_000,
      message,
    })
    const now = clock.now()
    const fields = { ...(await deps.describeInviter(inviter)), ...timesOf(invitation.days, now) }
    const mailDueAt = new Date(now + mailLeaseMs)
    const reopened = await invitations.reopen(id, invitation.email, { ...fields, mailDueAt })
    if (!reopened) throw new AppError('conflict', 'This address has another pending invitation, or this one has ended.')
    await outbox.removeFor(id, 'invitation')
    deps.mailQueue.start(reopened)
    await recordAction(audit, { inviter, origin }, { action: 'resend', target: reopened.email })
    return reopened
  }

  /** Voids the link. Throws `conflict` unless the invitation is pending. */
  async function revoke({ inviter, origin }: InviterContext, id: string): Promise<void> {
    const invitation = await requireChangeable(inviter, id)
    assertState(invitation, ['pending'])
    const closed = await invitations.close([id], 'revoked', { acceptedAt: null })
    if (closed === 0) throw new AppError('conflict', 'This invitation was accepted just now.')
    await outbox.removeFor(id, 'invitation')
    await recordAction(audit, { inviter, origin }, { action: 'revoke', target: invitation.email })
  }

  function assertState(invitation: InvitationRecord, allowed: InvitationState[]): void {
    const state = stateOf(invitation, clock.now())
    if (!allowed.includes(state)) throw new AppError('conflict', stateMessages[state])
  }

  return { resend, revoke }
}
