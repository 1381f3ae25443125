import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { retryWhileUnavailable } from '#data/retry-while-unavailable.ts'
import { version } from '#data/version.ts'
import { claimDueWebhook, releaseWebhook } from '#data/webhooks/claim-webhook.ts'
import { beginDueAttempt, recordOutcome, type DeliveryOutcome, type DeliveryRecord } from '#data/webhooks/deliveries.ts'
import { recordAttempt, type WebhookRecord } from '#data/webhooks/webhooks.ts'
import type { SendResult, Sender } from './send.ts'
import { signMessage } from './sign.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
/** The delay before the next attempt, after each failed one; after the last, the delivery has failed. */
const retryDelaysMs = [
  10 * secondMs,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
  24 * hourMs,
] as const
/** Longer than an attempt takes, so that another server repeats only the attempts of a killed one. */
const leaseMs = minuteMs
const maxConcurrent = 64
/** Number of one user's webhooks that are sent to at the same time. */
const maxConcurrentPerUser = 4
/** While its receiver fails, a webhook rests between attempts, starting at 2 s and doubling each time. */
const maxRestMs = 5 * minuteMs
/** The user's account is not active; it is checked again after this time. */
const inactiveRestMs = hourMs
/** A webhook that has failed this many times, for at least this long, without a single delivery is switched off. */
const failuresToSwitchOff = 20
const failingToSwitchOffMs = 24 * hourMs

interface DispatcherDeps {
  connection: DatabaseConnection
  clock: Clock
  send: Sender
  openSecret: (webhook: WebhookRecord) => string
  isUserActive: (userId: string) => Promise<boolean>
  /** Called when a webhook has failed for too long. */
  switchOff: (webhook: WebhookRecord) => Promise<void>
  publicUrl: string
}

/** Sends deliveries, at least once each. Several servers may dispatch concurrently. */
export function createDispatcher(deps: DispatcherDeps) {
  const { connection, clock, send, openSecret, isUserActive, switchOff, publicUrl } = deps
  const shutdown = new AbortController()
  const running = new Map<Promise<void>, string>()

  /**
   * Sends what is due: the deliveries of one webhook one after another, different webhooks in parallel, those longest due first. Resolves
   * when nothing more is due.
   */
  async function sendDue(): Promise<void> {
    const started: Promise<void>[] = []
    while (!shutdown.signal.aborted && running.size < maxConcurrent) {
      const now = clock.now()
      const leaseUntil = new Date(now + leaseMs)
      const webhook = await claimDueWebhook(connection, { now: new Date(now), leaseUntil, busyOwners: busyOwners() })
      if (!webhook) break
      const run = sendNext(webhook).finally(() => running.delete(run))
      running.set(run, webhook.ownerId)
      started.push(run.then(sendDue))
    }
    await Promise.all(started)
  }

  function busyOwners(): string[] {
    const byOwner = Object.groupBy(running.values(), (ownerId) => ownerId)
    return Object.entries(byOwner).flatMap(([ownerId, runs]) =>
      (runs?.length ?? 0) >= maxConcurrentPerUser ? [ownerId] : [],
    )
  }

  async function sendNext(webhook: WebhookRecord): Promise<void> {
    const now = new Date(clock.now())
    if (!(await isUserActive(webhook.ownerId))) return release(webhook, inactiveRestMs)
    const delivery = await beginDueAttempt(connection, webhook, { now, retryAt: webhook.leaseUntil })
    if (!delivery) return release(webhook, 0)
    const sent = await sendOne(webhook, delivery)
    if (!sent) return
    const failures = sent.webhook?.failuresInARow ?? 0
    await release(webhook, failures === 0 ? 0 : Math.min(maxRestMs, secondMs * 2 ** failures))
  }

  function release(webhook: WebhookRecord, restMs: number): Promise<void> {
    return releaseWebhook(connection, webhook, new Date(clock.now() + restMs))
  }

  /**
   * Sends a delivery whose attempt has begun. If it fails, `isManual` leaves its planned attempts unchanged. Undefined if the server stops.
   */
  async function sendOne(webhook: WebhookRecord, delivery: DeliveryRecord, { isManual = false } = {}) {
    const at = new Date(clock.now())
    const body = buildBody(delivery, publicUrl)
    const signed = signMessage(openSecret(webhook), { id: messageId(delivery), sentAtMs: at.getTime(), body })
    const headers = { 'Content-Type': 'application/json', 'User-Agent': `Awaz/${version}`, ...signed }
    const result = await send({ url: webhook.url, headers, body }, shutdown.signal).catch(() => undefined)
    if (!result) return undefined
    // A message that was sent is not sent again merely because the database was unreachable afterwards.
    const recorded = await record(() => recordOutcome(connection, delivery, outcomeOf(delivery, result, { isManual })))
    const isDelivered = result.error === null
    const updated = await record(() => recordAttempt(connection, webhook, { at, isDelivered }))
    if (updated && hasFailedForTooLong(updated)) await switchOff(updated)
    return { delivery: recorded, webhook: updated }
  }

  function record<Result>(write: () => Promise<Result>): Promise<Result> {
    return retryWhileUnavailable(write, shutdown.signal)
  }

  function outcomeOf(delivery: DeliveryRecord, sent: SendResult, { isManual }: { isManual: boolean }): DeliveryOutcome {
    const result = { ...sent, attempts: delivery.attempts }
    if (result.error === null) return { ...result, next: { state: 'delivered', nextAttemptAt: null } }
    // What is planned stays planned, and a delivery that was delivered before stays so: that it arrived once is true.
    if (isManual) return result
    const delayMs = retryDelaysMs[delivery.attempts - 1]
    if (delayMs === undefined) return { ...result, next: { state: 'failed', nextAttemptAt: null } }
    return { ...result, next: { state: 'waiting', nextAttemptAt: new Date(clock.now() + delayMs) } }
  }

  function hasFailedForTooLong({ isEnabled, failuresInARow, failingSince }: WebhookRecord): boolean {
    if (!isEnabled || failuresInARow < failuresToSwitchOff || !failingSince) return false
    return clock.now() - failingSince.getTime() >= failingToSwitchOffMs
  }

  /** Stops; the next server repeats attempts in progress. */
  async function close(): Promise<void> {
    shutdown.abort()
    await Promise.allSettled(running.keys())
  }

  return { sendDue, sendOne, close }
}

function messageId({ id }: DeliveryRecord): string {
  return `msg_${id}`
}

function buildBody(delivery: DeliveryRecord, publicUrl: string): string {
  const data = JSON.parse(delivery.data) as Record<string, unknown> // written as an object by oweWebhooks
  const { recording_id: recordingId } = data
  return JSON.stringify({
    id: messageId(delivery),
    type: delivery.event,
    timestamp: delivery.happenedAt.toISOString(),
    data: {
      ...data,
      ...(typeof recordingId === 'string' && { recording_url: `${publicUrl}/transcribe?recording=${recordingId}` }),
    },
  })
}
