import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { Activity } from '#data/activity.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { msUntil, repeat } from '#data/repeat.ts'
import { readNextDue } from '#data/webhooks/claim-webhook.ts'
import { beginAttempt, type DeliveryRecord, insertPing, listDeliveries } from '#data/webhooks/deliveries.ts'
import {
  disableWebhook,
  listWebhooks,
  removeWebhooks,
  type WebhookKey,
  type WebhookRecord,
} from '#data/webhooks/webhooks.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import { createSealer } from '#server/security/sealer.ts'
import { type Audit, systemOrigin } from '../audit/service.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Users } from '../users/service.ts'
import { createNotice } from '../mail/mail.ts'
import { webhookSwitchedOffMail } from '../mail/templates/integration-mails.ts'
import { createWebhookChanges, webhookNotFound } from './changes.ts'
import { createDispatcher } from './dispatcher.ts'
import { createSender } from './send.ts'
import { resolveHost, type TargetRules } from './target.ts'
import { webhookEntry } from './audit-entry.ts'

interface SwitchOffDeps {
  connection: DatabaseConnection
  clock: Clock
  users: Pick<Users, 'findById'>
  audit: Pick<Audit, 'record'>
  mailer: Pick<Mailer, 'enqueue'>
  publicUrl: string
}

/** Returns a function that disables a webhook whose receiver has failed for too long and notifies its owner once. */
function createSwitchOff({ connection, clock, users, audit, mailer, publicUrl }: SwitchOffDeps) {
  return async function switchOff(webhook: WebhookRecord): Promise<void> {
    const wasOn = await disableWebhook(connection, webhook, new Date(clock.now()))
    const user = wasOn ? await users.findById(webhook.ownerId) : undefined
    if (!user) return
    await audit.record(webhookEntry('switched_off', { ...webhook, isEnabled: false }, user), systemOrigin)
    const facts = { host: new URL(webhook.url).hostname, url: `${publicUrl}/settings/integrations` }
    mailer.enqueue(async () => createNotice(webhookSwitchedOffMail(user, facts), user, clock))
  }
}

const sendTimeoutMs = 10_000
/** A webhook is sent within a second of its cause: docs/api-keys-and-webhooks.md. */
const pollMs = 500
/** Limits manual attempts, which could be used to probe which addresses respond. */
const manualAttemptsPerMinute = 20

interface WebhooksDeps {
  connection: DatabaseConnection
  clock: Clock
  config: Pick<Config, 'publicUrl' | 'isOffline' | 'webhookAllowPrivate'>
  key: Buffer
  users: Pick<Users, 'findById' | 'isActive'>
  audit: Pick<Audit, 'record'>
  mailer: Pick<Mailer, 'enqueue'>
  limiter: Pick<RateLimiter, 'count'>
  log: Logger
}

/** Manages the webhooks of users and delivers to them once `start` has been called. */
export function createWebhooks({ key, config, log, ...deps }: WebhooksDeps) {
  const { connection, clock, users, audit, limiter } = deps
  const { publicUrl } = config
  const sealer = createSealer(key)
  const rules: TargetRules = { allowed: config.webhookAllowPrivate, isOffline: config.isOffline }
  const changes = createWebhookChanges({ connection, rules, resolve: resolveHost, sealSecret: sealer.seal, audit })
  const dispatcher = createDispatcher({
    connection,
    clock,
    send: createSender({ rules, resolve: resolveHost, timeoutMs: sendTimeoutMs }),
    openSecret: ({ sealedSecret, id }) => sealer.open(sealedSecret, id),
    isUserActive: users.isActive,
    switchOff: createSwitchOff({ ...deps, publicUrl }),
    publicUrl,
  })
  let stop: (() => Promise<void>) | undefined

  /** Returns the deliveries of a webhook for its log. Throws `not_found`. */
  async function list(webhook: WebhookKey): Promise<DeliveryRecord[]> {
    return listDeliveries(connection, await changes.get(webhook))
  }

  /** Sends a ping now. Throws `not_found`. */
  async function sendTest(webhook: WebhookKey): Promise<DeliveryRecord> {
    const found = await changes.get(webhook)
    await countAttempt(webhook.ownerId)
    const ping = await insertPing(connection, found)
    return sendNow(found, ping.id)
  }

  /** Sends a delivery again now. Throws `not_found`. */
  async function retry(webhook: WebhookKey, deliveryId: string): Promise<DeliveryRecord> {
    const found = await changes.get(webhook)
    await countAttempt(webhook.ownerId)
    return sendNow(found, deliveryId)
  }

  async function sendNow(webhook: WebhookRecord, deliveryId: string): Promise<DeliveryRecord> {
    const begun = await beginAttempt(connection, webhook, { id: deliveryId, now: new Date(clock.now()) })
    if (!begun) throw new AppError('not_found', 'Delivery not found')
    const sent = await dispatcher.sendOne(webhook, begun, { isManual: true })
    if (!sent) throw new AppError('unavailable', 'The server is stopping. Please try again in a few seconds.')
    if (!sent.delivery) throw webhookNotFound()
    return sent.delivery
  }

  function countAttempt(userId: string): Promise<void> {
    return limiter.count({ name: 'webhook', key: userId, limit: manualAttemptsPerMinute, windowMs: 60_000 })
  }

  /** Starts sending due deliveries. A slow receiver does not delay other webhooks. */
  function start(activity: Activity): void {
    const onError = (err: unknown) => log.warn({ err }, 'webhooks could not be sent')
    const run = async () => void dispatcher.sendDue().catch(onError)
    const dueInMs = async () => msUntil(await readNextDue(connection), clock.now())
    stop = repeat(activity, { run, activeMs: pollMs, dueInMs, onError })
  }

  async function close(): Promise<void> {
    await stop?.()
    await dispatcher.close()
  }

  return {
    create: changes.create,
    change: changes.change,
    remove: changes.remove,
    list,
    sendTest,
    retry,
    listWebhooks: (userId: string) => listWebhooks(connection, userId),
    removeAll: (userId: string) => removeWebhooks(connection, userId),
    sendDue: dispatcher.sendDue,
    start,
    close,
  }
}

export type Webhooks = ReturnType<typeof createWebhooks>
