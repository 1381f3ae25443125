import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createInvitationMails } from '#data/invitations/invitation-mails.ts'
import type { InvitationRecord } from '#data/invitations/invitation-record.ts'
import { createInvitationRepository, type InvitationRepository } from '#data/invitations/invitations.ts'
import { createUserAddresses, type UserAddresses } from '#data/users/user-addresses.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import { type Audit, systemOrigin } from '../audit/service.ts'
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
import { type Invitee, newInvitation } from './new-invitation.ts'
import { assertCanInvite, assertOpen, canInvite, type Inviter, type InviterContext } from './policy.ts'
import { recordAction } from './record-action.ts'

interface SettleDeps {
  invitations: InvitationRepository
  addresses: UserAddresses
  outbox: Pick<Outbox, 'removeFor'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/**
 * Brings pending invitations up to date with the accounts: people who got a verified account by another route have accepted theirs, and
 * invitations by somebody who may no longer grant the role are void. Checked when invitations are read, so that no route in or out is
 * forgotten.
 */
function createSettle({ invitations, addresses, outbox, audit, clock }: SettleDeps) {
  /** Returns whether the inviter may still grant the role. */
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

  /** Returns the inviter in the form stored with an invitation. */
  async function describeInviter({ id }: Inviter): Promise<Pick<InvitationRecord, 'inviterId' | 'inviterName'>> {
    const user = id === null ? undefined : await users.findById(id)
    const name = user && ([user.firstName, user.lastName].filter(Boolean).join(' ') || user.username)
    return { inviterId: id, inviterName: name ?? 'The administrator' }
  }

  /** Stores an invitation; `mailQueue` mails its link. Throws `registration_closed`, `forbidden`, `email_taken` or `conflict`. */
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

  /** Returns the pending invitation for an address. */
  async function findPending(email: string): Promise<InvitationRecord | undefined> {
    const found = await invitations.findPendingByEmail(email, new Date(clock.now()))
    return found && (await isBacked(found)) ? found : undefined
  }

  /** Returns how many invitations are waiting to be accepted. */
  async function countPending(): Promise<number> {
    await settle()
    return invitations.countPending(new Date(clock.now()))
  }

  return {
    create,
    ...createChanges({ ...shared, settle, mailQueue }),
    list,
    findPending,
    countPending,
    ...createImport({ ...shared, settle, mails, mailQueue }),
    ...createAcceptance({ ...shared, isBacked }),
    mailQueue,
    /** Removes everything stored about an address. */
    removeFor: invitations.removeByEmail,
  }
}

export type Invitations = ReturnType<typeof createInvitations>
