import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createInvitationMails } from '#data/invitations/invitation-mails.ts'
import type { InvitationRecord } from '#data/invitations/invitation-record.ts'
import { createInvitationRepository } from '#data/invitations/invitations.ts'
import { createUserAddresses } from '#data/users/user-addresses.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Audit } from '../audit/service.ts'
import type { PasswordPolicy } from '../auth/password-policy.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { SignInSettingsService } from '../sign-in-settings/service.ts'
import { emailTaken } from '../users/names.ts'
import type { Users } from '../users/service.ts'
import { createAcceptance } from './acceptance.ts'
import { createChanges } from './changes.ts'
import { createImport } from './import.ts'
import { createInvitationMailQueue, mailLeaseMs } from './mail-queue.ts'
import { newInvitation, type Invitee } from './new-invitation.ts'
import { assertCanInvite, assertOpen, type Inviter, type InviterContext } from './policy.ts'
import { recordAction } from './record-action.ts'
import { createSettle } from './settle.ts'

interface InvitationsDeps {
  connection: DatabaseConnection
  clock: Clock
  publicUrl: string
  users: Pick<Users, 'create' | 'findById' | 'remove'>
  signInSettings: Pick<SignInSettingsService, 'current'>
  passwordPolicy: Pick<PasswordPolicy, 'assertAllowed'>
  mailer: Pick<Mailer, 'enqueue' | 'store' | 'sendDue'>
  outbox: Pick<Outbox, 'removeFor'>
  limiter: Pick<RateLimiter, 'count'>
  audit: Pick<Audit, 'record'>
}

const closedHelp = 'A super admin can open it on the page Sign-in. Accounts can be created without an invitation.'

/** Invitations by mail (docs/decisions/invitations.md). */
export function createInvitations(deps: InvitationsDeps) {
  const { connection, clock, users, signInSettings, outbox, audit } = deps
  const invitations = createInvitationRepository(connection)
  const mails = createInvitationMails(connection)
  const addresses = createUserAddresses(connection)
  const mailQueue = createInvitationMailQueue({ ...deps, mails })
  const { settle, isBacked } = createSettle({ invitations, addresses, outbox, audit, clock })
  const shared = { ...deps, invitations, addresses, describeInviter, assertInvitationsOpen }

  async function assertInvitationsOpen(): Promise<void> {
    assertOpen(await signInSettings.current(), closedHelp)
  }

  /** Returns the inviter as an invitation stores one. */
  async function describeInviter({ id }: Inviter): Promise<Pick<InvitationRecord, 'inviterId' | 'inviterName'>> {
    const user = id === null ? undefined : await users.findById(id)
    const name = user && ([user.firstName, user.lastName].filter(Boolean).join(' ') || user.username)
    return { inviterId: id, inviterName: name ?? 'The administrator' }
  }

  /** Stores an invitation, whose link `mailQueue` mails. Throws `registration_closed`, `forbidden`, `email_taken` or `conflict`. */
  async function create(
    { inviter, origin }: InviterContext,
    invitee: Invitee,
    days: number,
  ): Promise<InvitationRecord> {
    await assertInvitationsOpen()
    assertCanInvite(inviter, invitee.role)
    if ((await addresses.findTaken([invitee.email])).has(invitee.email)) throw emailTaken()
    await settle()
    const now = clock.now()
    const fixed = { ...(await describeInviter(inviter)), days, status: 'open' as const }
    const invitation = { ...newInvitation(invitee, now, fixed), mailDueAt: new Date(now + mailLeaseMs) }
    if (!(await invitations.insert([invitation], new Date(now)))) {
      throw new AppError('conflict', 'This address has a pending invitation.', {
        help: 'Resend it, or revoke it and invite again.',
      })
    }
    const details = `${invitee.role}, ${days} days`
    await recordAction(audit, { inviter, origin }, { action: 'create', target: invitee.email, details })
    return { ...invitation, acceptedAt: null }
  }

  async function list(query: Parameters<typeof invitations.list>[0]) {
    await settle()
    return invitations.list(query, new Date(clock.now()))
  }

  /** Returns how many invitations wait to be accepted. */
  async function countPending(): Promise<number> {
    await settle()
    return invitations.countPending(new Date(clock.now()))
  }

  return {
    create,
    ...createChanges({ ...shared, settle, mailQueue }),
    list,
    countPending,
    ...createImport({ ...shared, settle, mails, mailQueue }),
    ...createAcceptance({ ...shared, isBacked }),
    mailQueue,
    /** Removes what is stored about an address. */
    removeFor: invitations.removeByEmail,
  }
}

export type Invitations = ReturnType<typeof createInvitations>
