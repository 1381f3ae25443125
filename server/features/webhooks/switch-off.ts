import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { disableWebhook, type WebhookRecord } from '#data/webhooks/webhooks.ts'
import { systemOrigin, type Audit } from '../audit/service.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { webhookSwitchedOffMail } from '../mail/templates/integration-mails.ts'
import type { Users } from '../users/service.ts'
import { webhookEntry } from './audit-entry.ts'

interface SwitchOffDeps {
  connection: DatabaseConnection
  clock: Clock
  users: Pick<Users, 'findById'>
  audit: Pick<Audit, 'record'>
  mailer: Pick<Mailer, 'enqueue'>
  publicUrl: string
}

/** Returns what switches off a webhook whose receiver has failed for too long, and notifies its owner, once. */
export function createSwitchOff({ connection, clock, users, audit, mailer, publicUrl }: SwitchOffDeps) {
  return async function switchOff(webhook: WebhookRecord): Promise<void> {
    const wasOn = await disableWebhook(connection, webhook, new Date(clock.now()))
    const user = wasOn ? await users.findById(webhook.ownerId) : undefined
    if (!user) return
    await audit.record(webhookEntry('switched_off', { ...webhook, isEnabled: false }, user), systemOrigin)
    const facts = { host: new URL(webhook.url).hostname, url: `${publicUrl}/settings/integrations` }
    mailer.enqueue(async () => createNotice(webhookSwitchedOffMail(user, facts), user, clock))
  }
}
