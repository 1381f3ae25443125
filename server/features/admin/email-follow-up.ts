import type { Clock } from '#data/clock.ts'
import { msUntil } from '#data/repeat.ts'
import type { PendingEmailRepository } from '#data/users/pending-emails.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { systemOrigin, type Audit } from '../audit/service.ts'
import type { PasswordReset } from '../auth/password-reset.ts'
import type { Registration } from '../auth/registration.ts'
import type { ClosedLibraries } from '../closed-library/service.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { emailChangedMail } from '../mail/templates/address-mails.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from '../users/service.ts'

/** How long the server that put the address into effect has before another one considers the remaining work abandoned. */
const abandonedAfterMs = 60_000

export interface EmailFollowUpDeps {
  pendingEmails: PendingEmailRepository
  users: Pick<Users, 'findById'>
  closedLibraries: Pick<ClosedLibraries, 'announceClosed'>
  registration: Pick<Registration, 'voidLinks' | 'sendLink'>
  passwordReset: Pick<PasswordReset, 'voidReset'>
  sessions: Pick<Sessions, 'endAll'>
  mailer: Pick<Mailer, 'enqueue'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/**
 * What follows once a new address has taken effect. The write that changes the address also stores what is left to do, so a crash loses
 * nothing.
 */
export function createEmailFollowUp(deps: EmailFollowUpDeps) {
  const { pendingEmails, users, clock } = deps

  /** Ends earlier links and sessions, and notifies everyone concerned. Repeatable: after a crash a mail may be sent twice. */
  async function finish(id: string, origin: RequestOrigin = systemOrigin): Promise<void> {
    const user = await users.findById(id)
    const applied = user?.appliedEmail
    if (!user || !applied) return
    const { email, formerEmail, hasClosed, actor, at } = applied
    const before: UserRecord = { ...user, email: formerEmail }
    await deps.registration.voidLinks(id)
    await deps.passwordReset.voidReset(id)
    await deps.sessions.endAll(id)
    if (hasClosed) await deps.closedLibraries.announceClosed(before, { reason: 'address', email, actor, origin })
    // An owner who has opened the library in the meantime may have switched back to the former address.
    if (user.email === email && !user.isVerified) deps.registration.sendLink(user)
    deps.mailer.enqueue(async () => createNotice(emailChangedMail(before, { email }), before, clock))
    const entry = { action: 'address_change.apply', outcome: 'success' as const, actor, target: formerEmail }
    await deps.audit.record({ ...entry, details: `email to ${email}` }, origin)
    await pendingEmails.finish(id, at)
  }

  /** Returns the ids of users for whom a server left something undone. */
  async function listAbandoned(limit: number): Promise<string[]> {
    const before = new Date(clock.now() - abandonedAfterMs)
    return (await pendingEmails.listUnfinished(before, limit)).map(({ id }) => id)
  }

  /** Returns the milliseconds until an address is due, or work that a server left undone; Infinity if there is neither. */
  async function dueInMs(): Promise<number> {
    const { dueAt, unfinishedAt } = await pendingEmails.readNext()
    return Math.min(msUntil(dueAt, clock.now()), msUntil(unfinishedAt, clock.now()) + abandonedAfterMs)
  }

  return { finish, listAbandoned, dueInMs }
}
