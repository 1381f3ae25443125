import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { OutboxMailRecord } from '#data/outbox/outbox-mails.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { AppRouter, AuthUser } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Audit } from '../audit/service.ts'
import type { Mailer } from './mailer.ts'
import type { Outbox } from './outbox.ts'
import { testMail } from './templates/account-mails.ts'

interface MailDeps {
  outbox: Outbox
  mailer: Mailer
  users: { findById(id: string): Promise<Pick<UserRecord, 'role' | 'language'> | undefined> }
  audit: Audit
  config: Pick<Config, 'smtpUrl'>
  clock: Clock
}

const testMailLifetimeMs = 60 * 60_000

export function mountMail(router: AppRouter, { outbox, mailer, users, audit, config, clock }: MailDeps): void {
  /** If super admins could see each other's mail, one could take over another's account unnoticed. */
  async function isHidden(mail: OutboxMailRecord, reader: AuthUser): Promise<boolean> {
    if (mail.userId === reader.id) return false
    return (await users.findById(mail.userId))?.role === 'super_admin'
  }

  route(router, api.superAdmin.outbox, async ({ user }) => {
    const mails = await outbox.list()
    const hidden = await Promise.all(mails.map((mail) => isHidden(mail, user)))
    return {
      mails: mails.filter((_, index) => !hidden[index]).map(presentMail),
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
    const mail = await outbox.findById(params.id)
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
    const expiresAt = new Date(clock.now() + testMailLifetimeMs)
    const { language } = (await users.findById(user.id)) ?? {}
    const reason = await mailer.sendOnce({ ...testMail({ language }), to, userId: user.id, purpose: 'test', expiresAt })
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

function presentMail(mail: OutboxMailRecord) {
  return {
    id: mail.id,
    to: mail.to,
    subject: mail.subject,
    purpose: mail.purpose,
    attempts: mail.attempts,
    last_error: mail.lastError || null,
    next_try_at: mail.nextTryAt?.toISOString() ?? null,
    created_at: mail.createdAt.toISOString(),
    expires_at: mail.expiresAt.toISOString(),
  }
}
