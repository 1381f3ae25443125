import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { OutboxDoc } from '#data/accounts/record-models.ts'
import type { AppRouter, AuthUser } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Services } from '#server/services.ts'

export function mountOutbox(router: AppRouter, { outbox, users, audit, config }: Services): void {
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
}

function presentMail(mail: OutboxDoc) {
  return {
    id: mail._id.toHexString(),
    to: mail.to,
    subject: mail.subject,
    created_at: mail.createdAt.toISOString(),
    expires_at: mail.expiresAt.toISOString(),
  }
}
