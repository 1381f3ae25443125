import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import { isDuplicateKey } from '#data/model.ts'
import type { PendingEmailRepository } from '#data/users/pending-emails.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import { systemOrigin, type Audit } from '../audit/service.ts'
import type { PasswordReset } from '../auth/password-reset.ts'
import type { Registration } from '../auth/registration.ts'
import type { ClosedLibraries } from '../closed-library/service.ts'
import { noticeLifetimeMs } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { addressChangeMail, emailChangedMail } from '../mail/templates/address-mails.ts'
import type { RenderedMail } from '../mail/templates/layout.ts'
import type { Sessions } from '../sessions/service.ts'
import { emailTaken } from '../users/names.ts'
import type { Users } from '../users/service.ts'
import type { AdminActionContext } from './service.ts'

/** The next call takes the others. */
const maxPerCall = 50
const idLength = 24

interface AddressChangesDeps {
  pendingEmails: PendingEmailRepository
  users: Pick<Users, 'get' | 'findByEmail'>
  closedLibraries: Pick<ClosedLibraries, 'close'>
  registration: Pick<Registration, 'voidLinks' | 'sendLink'>
  passwordReset: Pick<PasswordReset, 'voidReset'>
  sessions: Pick<Sessions, 'endAll'>
  mailer: Pick<Mailer, 'enqueue'>
  audit: Pick<Audit, 'record'>
  clock: Clock
  delayMs: number
  publicUrl: string
}

interface Act {
  actor: { id: string; email: string } | { email: string }
  origin: RequestOrigin
}

/**
 * E-mail addresses that administrators change. A new address takes effect after a delay, in which the owner, who is told at the old one,
 * can stop it; it closes the library: docs/decisions/step-up-for-administration.md.
 */
export function createEmailChanges(deps: AddressChangesDeps) {
  const { pendingEmails, users, audit, clock } = deps

  async function assertFree(email: string): Promise<void> {
    if (await users.findByEmail(email)) throw emailTaken()
  }

  /** Stores the new address, in place of one that waits already. Throws `email_taken`. */
  async function request({ user: actor, origin }: AdminActionContext, before: UserRecord, email: string) {
    await assertFree(email)
    const token = before.id + randomToken()
    const effectiveAt = new Date(clock.now() + deps.delayMs)
    const pending = { email, requestedBy: actor.email, effectiveAt, stopHash: hashToken(token) }
    const changed = await pendingEmails.store(before.id, pending)
    if (!changed) throw new AppError('not_found', 'User not found')
    const url = `${deps.publicUrl}/stop-address-change?token=${token}`
    notify(before, addressChangeMail(before, { email, effectiveAt, url }))
    const entry = { action: 'admin.update', outcome: 'success' as const, actor, target: before.email }
    await audit.record({ ...entry, details: `email to ${email} from ${effectiveAt.toISOString()}` }, origin)
    return changed
  }

  /** Puts the new address into effect now. Throws `conflict` where none waits, or `email_taken`. */
  async function apply(userId: string, { actor, origin }: Act): Promise<UserRecord> {
    const before = await users.get(userId)
    const pending = before.pendingEmail
    if (!pending) throw nonePendingError()
    await assertFree(pending.email)
    await deps.closedLibraries.close(before, { reason: 'address', actor, origin })
    const changed = await pendingEmails.apply(userId, pending).catch((error: unknown) => {
      throw isDuplicateKey(error, 'email') ? emailTaken() : error
    })
    if (!changed) throw nonePendingError()
    await deps.registration.voidLinks(userId)
    await deps.passwordReset.voidReset(userId)
    await deps.sessions.endAll(userId)
    deps.registration.sendLink(changed)
    notify(before, emailChangedMail(before))
    const entry = { action: 'address_change.apply', outcome: 'success' as const, actor, target: before.email }
    await audit.record({ ...entry, details: `email to ${changed.email}` }, origin)
    return changed
  }

  /** Throws `conflict` where none waits. */
  async function stop(userId: string, act: Act): Promise<void> {
    const before = await pendingEmails.remove(userId)
    if (!before) throw nonePendingError()
    await recordStop(before, act)
  }

  /** Stops by the token of the mail to the old address. Throws `wrong_code`. */
  async function stopByToken(token: string, origin: RequestOrigin): Promise<void> {
    const before = /^[0-9a-f]{24}/.test(token)
      ? await pendingEmails.remove(token.slice(0, idLength), hashToken(token))
      : undefined
    if (!before) throw new AppError('wrong_code', 'This link is invalid, or the address was changed or kept already.')
    await recordStop(before, { actor: before, origin })
  }

  async function recordStop({ email, pendingEmail }: UserRecord, { actor, origin }: Act): Promise<void> {
    const entry = { action: 'address_change.stop', outcome: 'success' as const, actor, target: email }
    await audit.record({ ...entry, details: `email to ${pendingEmail?.email ?? ''}` }, origin)
  }

  /** Puts the addresses into effect whose delay is over. Repeatable, also on several servers at once. */
  async function applyDue(): Promise<void> {
    for (const { id, email, pendingEmail } of await pendingEmails.listDue(new Date(clock.now()), maxPerCall)) {
      if (!pendingEmail) continue
      const actor = { email: pendingEmail.requestedBy }
      try {
        await apply(id, { actor, origin: systemOrigin })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        // Taken meanwhile, stopped, or put into effect by another server.
        if (!(await pendingEmails.remove(id, pendingEmail.stopHash))) continue
        const entry = { action: 'address_change.apply', outcome: 'failure' as const, actor, target: email }
        await audit.record({ ...entry, details: error.code }, systemOrigin)
      }
    }
  }

  /** Whatever mails the owner chose. */
  function notify({ id, email }: UserRecord, mail: RenderedMail): void {
    const expiresAt = new Date(clock.now() + noticeLifetimeMs)
    deps.mailer.enqueue(async () => ({ ...mail, to: email, userId: id, purpose: 'notice', expiresAt }))
  }

  return { request, apply, stop, stopByToken, applyDue }
}

export type EmailChanges = ReturnType<typeof createEmailChanges>

function nonePendingError(): AppError {
  return new AppError('conflict', 'No change of the address is waiting')
}
