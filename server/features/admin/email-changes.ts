import { AppError } from '#contract/app-error.ts'
import { isDuplicateKey } from '#data/model.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import { systemOrigin } from '../audit/service.ts'
import type { ClosedLibraries } from '../closed-library/service.ts'
import { createNotice } from '../mail/mail.ts'
import { addressChangeMail } from '../mail/templates/address-mails.ts'
import type { MailTemplate } from '../mail/templates/layout.ts'
import { emailTaken } from '../users/names.ts'
import type { Users } from '../users/service.ts'
import { createEmailFollowUp, type EmailFollowUpDeps } from './email-follow-up.ts'
import { assertCanManage } from './policy.ts'
import type { AdminActionContext } from './service.ts'

/** The rest wait for the next call. */
const maxPerCall = 50
const idLength = 24

type PendingEmail = NonNullable<UserRecord['pendingEmail']>

interface AddressChangesDeps extends EmailFollowUpDeps {
  users: Pick<Users, 'get' | 'findById' | 'assertEmailFree'>
  closedLibraries: Pick<ClosedLibraries, 'prepare' | 'announceClosed'>
  delayMs: number
  publicUrl: string
}

interface Act {
  actor: { id: string; email: string } | { email: string }
  origin: RequestOrigin
}

/**
 * E-mail addresses changed by administrators. A new address takes effect after a delay during which the owner, notified at the old address,
 * can stop it; taking effect closes the library: docs/decisions/step-up-for-administration.md.
 */
export function createEmailChanges(deps: AddressChangesDeps) {
  const { pendingEmails, users, audit, clock } = deps
  const followUp = createEmailFollowUp(deps)

  /** Stores the new address, replacing one that is already pending. Throws `email_taken`. */
  async function request({ user: actor, origin }: AdminActionContext, before: UserRecord, email: string) {
    await users.assertEmailFree(email)
    const token = before.id + randomToken()
    const effectiveAt = new Date(clock.now() + deps.delayMs)
    const requester = { requestedBy: actor.email, requestedById: actor.id }
    const changed = await pendingEmails.store(before.id, {
      email,
      ...requester,
      effectiveAt,
      stopHash: hashToken(token),
    })
    if (!changed) throw new AppError('not_found', 'User not found')
    const url = `${deps.publicUrl}/stop-address-change?token=${token}`
    notify(before, addressChangeMail(before, { email, effectiveAt, url }))
    const entry = { action: 'admin.update', outcome: 'success' as const, actor, target: before.email }
    await audit.record({ ...entry, details: `email to ${email} from ${effectiveAt.toISOString()}` }, origin)
    return changed
  }

  /** Puts the new address into effect now. Throws `conflict` if none is pending or a different one than expected, or `email_taken`. */
  async function apply(userId: string, act: Act, expected?: string): Promise<UserRecord> {
    const user = await users.get(userId)
    assertIsExpected(user, expected)
    return applyPending(user, act)
  }

  /** Applies only the address that is pending in `user`: one that has replaced it waits out its own delay. */
  async function applyPending(user: UserRecord, { actor, origin }: Act): Promise<UserRecord> {
    const { id, pendingEmail } = user
    if (!pendingEmail) throw nonePendingError()
    const { email } = pendingEmail
    await users.assertEmailFree(email)
    const closure = await deps.closedLibraries.prepare(user, 'address')
    const known = 'id' in actor ? { id: actor.id, email: actor.email } : { email: actor.email }
    const change = { closure, actor: known }
    const before = await pendingEmails.apply(id, pendingEmail, change).catch((error: unknown) => {
      throw isDuplicateKey(error, 'email') ? emailTaken() : error
    })
    if (!before) throw nonePendingError()
    await followUp.finish(id, origin)
    return users.get(id)
  }

  /** Throws `conflict` if none is pending, or a different one than expected. */
  async function stop(userId: string, act: Act, expected?: string): Promise<void> {
    const user = await users.get(userId)
    assertIsExpected(user, expected)
    const before = await pendingEmails.remove(userId, expected === undefined ? undefined : user.pendingEmail?.stopHash)
    if (!before) throw nonePendingError()
    await recordStop(before, act)
  }

  /** Stops a change, given the token from the mail to the old address. Throws `wrong_code`. */
  async function stopByToken(token: string, origin: RequestOrigin): Promise<void> {
    const before = /^[0-9a-f]{24}/.test(token)
      ? await pendingEmails.remove(token.slice(0, idLength), hashToken(token))
      : undefined
    if (!before)
      throw new AppError(
        'wrong_code',
        'This link is no longer valid. A newer change may be waiting: use the link of the latest e-mail, or Profile Settings.',
      )
    await recordStop(before, { actor: before, origin })
  }

  async function recordStop({ email, pendingEmail }: UserRecord, { actor, origin }: Act): Promise<void> {
    const entry = { action: 'address_change.stop', outcome: 'success' as const, actor, target: email }
    await audit.record({ ...entry, details: `email to ${pendingEmail?.email ?? ''}` }, origin)
  }

  /**
   * Puts into effect the addresses whose delay is over, and finishes what a server left undone. Repeatable, even on several servers at
   * once. A failure does not hold up the others; an AggregateError is thrown at the end.
   */
  async function applyDue(): Promise<void> {
    const failures: Error[] = []
    for (const { id, pendingEmail } of await pendingEmails.listDue(new Date(clock.now()), maxPerCall)) {
      if (!pendingEmail) continue
      await applyOneDue(id, pendingEmail).catch((cause: unknown) =>
        failures.push(new Error(`of user ${id}`, { cause })),
      )
    }
    for (const id of await followUp.listAbandoned(maxPerCall)) {
      await followUp.finish(id).catch((cause: unknown) => failures.push(new Error(`of user ${id}`, { cause })))
    }
    if (failures.length === 0) return
    throw new AggregateError(
      failures,
      `changes of addresses failed: ${failures.map(({ message }) => message).join(', ')}`,
    )
  }

  async function applyOneDue(id: string, pending: PendingEmail): Promise<void> {
    const actor = { email: pending.requestedBy }
    const user = await users.findById(id)
    // Stopped or replaced since it was listed.
    if (user?.pendingEmail?.stopHash !== pending.stopHash) return
    try {
      await assertCanStillRequest(users, user, pending)
      await applyPending(user, { actor, origin: systemOrigin })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // Taken, or no longer allowed. Another server may have put it into effect.
      if (!(await pendingEmails.remove(id, pending.stopHash))) return
      const entry = { action: 'address_change.apply', outcome: 'failure' as const, actor, target: user.email }
      await audit.record({ ...entry, details: error.code }, systemOrigin)
    }
  }

  /** Sent regardless of which mails the owner chose. */
  function notify(user: UserRecord, mail: MailTemplate): void {
    deps.mailer.enqueue(async () => createNotice(mail, user, clock))
  }

  return { request, apply, stop, stopByToken, applyDue, dueInMs: followUp.dueInMs }
}

export type EmailChanges = ReturnType<typeof createEmailChanges>

/** Throws `forbidden` if the administrator would no longer be allowed to request it. */
async function assertCanStillRequest(
  users: Pick<Users, 'findById'>,
  target: UserRecord,
  { requestedById }: PendingEmail,
): Promise<void> {
  const requester = requestedById === undefined ? undefined : await users.findById(requestedById)
  if (!requester?.isActive || requester.role === 'user') {
    throw new AppError('forbidden', 'The administrator may not change addresses any more')
  }
  assertCanManage(requester, target)
}

/** Throws `conflict` if the pending address is not the one the administrator saw when deciding. */
function assertIsExpected({ pendingEmail }: UserRecord, expected: string | undefined): void {
  if (!pendingEmail) throw nonePendingError()
  if (expected !== undefined && pendingEmail.email !== expected) {
    throw new AppError('conflict', 'Another address is waiting now. Please look at it first.')
  }
}

function nonePendingError(): AppError {
  return new AppError('conflict', 'No change of the address is waiting')
}
