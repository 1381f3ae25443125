import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { OutboxDoc } from '#data/accounts/record-models.ts'
import type { AppRouter, AuthUser } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Services } from '#server/services.ts'
import { testMail } from './templates/account-mails.ts'

const testLifetimeMs = 60 * 60_000

export function mountOutbox(router: AppRouter, services: Services): void {
  const { outbox, mailer, users, audit, config, clock } = services

  /** Another super admin's mail would let one super admin take over the other's account unseen. */
  async function isHidden(mail: OutboxDoc, reader: AuthUser): Promise<boolean> {
    const ownerId = mail.userId.toHexString()
    if (ownerId === reader.id) return false
    return (await users.findById(ownerId))?.role === 'super_admin'
  }

  route(router, api.superAdmin.outbox, async ({ user }) => {
    const kept = await outbox.list()
    const hidden = await Promise.all(kept.map((mail) => isHidden(mail, user)))
    return {
      mails: kept.filter((_, index) => !hidden[index]).map(presentMail),
      is_smtp_configured: config.smtpUrl !== undefined,
    }
  })

  route(router, api.superAdmin.readMail, async ({ user, params, origin }) => {
    const found = await outbox.read(params.id)
    if (!found || (await isHidden(found.mail, user))) throw new AppError('not_found', 'Mail not found')
    const entry = { action: 'outbox.read', outcome: 'success' as const, actor: user, target: found.mail.to }
    await audit.record({ ...entry, details: found.mail.purpose }, origin)
    return { ...presentMail(found.mail), text: found.text }
  })

  route(router, api.superAdmin.sendMail, async ({ user, params, origin }) => {
    const mail = await outbox.find(params.id)
    if (!mail || (await isHidden(mail, user))) throw new AppError('not_found', 'Mail not found')
    requireMailServer()
    const reason = await mailer.sendNow(mail)
    const outcome = reason === undefined ? ('success' as const) : ('failure' as const)
    await audit.record({ action: 'outbox.send', outcome, actor: user, target: mail.to, details: mail.purpose }, origin)
    if (reason !== undefined) throw mailFailed(reason)
    return { message: `Mail sent to ${mail.to}` }
  })

  route(router, api.superAdmin.testMail, async ({ user, body, origin }) => {
    requireMailServer()
    const to = body.to ?? user.email
    const expiresAt = new Date(clock.now() + testLifetimeMs)
    const reason = await mailer.sendOnce({ ...testMail(), to, userId: user.id, purpose: 'test', expiresAt })
    const outcome = reason === undefined ? ('success' as const) : ('failure' as const)
    await audit.record({ action: 'mail.test', outcome, actor: user, target: to, details: reason ?? '' }, origin)
    if (reason !== undefined) throw mailFailed(reason)
    return { message: `Test mail sent to ${to}` }
  })

  function requireMailServer(): void {
    if (config.smtpUrl) return
    throw new AppError('conflict', 'No mail server is set', { help: 'Set SMTP_URL and start the server again.' })
  }
}

function mailFailed(reason: string): AppError {
  return new AppError('mail_failed', 'The mail could not be sent', { details: [reason] })
}

function presentMail(mail: OutboxDoc) {
  return {
    id: mail._id.toHexString(),
    to: mail.to,
    subject: mail.subject,
    attempts: mail.attempts ?? 0,
    last_error: mail.lastError || null,
    next_try_at: mail.nextTryAt?.toISOString() ?? null,
    created_at: mail.createdAt.toISOString(),
    expires_at: mail.expiresAt.toISOString(),
  }
}
