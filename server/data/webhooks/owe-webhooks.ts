import type { WebhookEvent } from '#contract/entities/webhook.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import { deliveryModel, type DeliveryDocument } from './delivery-model.ts'
import { webhookModel, type WebhookDocument } from './webhook-model.ts'

/** Older events are not sent: the record that they have been sent may be gone. */
const maxAgeMs = 30 * 24 * 3_600_000

/** Something that happened to a user's recordings. */
export interface OwedEvent {
  /** Identifies the event among its owner's events: it is sent once per key. */
  key: string
  type: WebhookEvent
  /** Ids, kinds, states, languages and counts; nothing that was spoken. `recording_id` is sent along with the recording's address. */
  data: Record<string, unknown>
  /** When it happened, by the database's clock; now where it is missing. */
  at?: Date
}

/** Returns whether an owner has an enabled webhook. */
export async function hasListeningWebhooks(connection: DatabaseConnection, ownerId: string): Promise<boolean> {
  return (await webhookModel(connection).exists({ ownerId: toObjectId(ownerId), isEnabled: true })) !== null
}

/**
 * Stores a delivery of an event for each enabled webhook of its owner that subscribes to it. Repeating the call with the same key only
 * completes what a killed process had begun.
 */
export async function oweWebhooks(connection: DatabaseConnection, ownerId: string, event: OwedEvent): Promise<void> {
  const webhooks = await webhookModel(connection)
    .find({ ownerId: toObjectId(ownerId), isEnabled: true, events: event.type }, { enabledAt: 1 })
    .lean<Pick<WebhookDocument, '_id' | 'enabledAt'>[]>()
  if (webhooks.length === 0) return
  const now = await readDatabaseTime(connection)
  const { at = now } = event
  if (at.getTime() < now.getTime() - maxAgeMs) return
  for (const { _id, enabledAt } of webhooks) {
    if (at < enabledAt || !(await insertDelivery(connection, _id, { ownerId, event, at, now }))) continue
    await webhookModel(connection).updateOne({ _id }, { $min: { dueAt: now } })
  }
}

/** Stores a delivery unless it exists. Returns whether it is waiting for its first attempt. */
async function insertDelivery(
  connection: DatabaseConnection,
  webhookId: WebhookDocument['_id'],
  { ownerId, event, at, now }: { ownerId: string; event: OwedEvent; at: Date; now: Date },
): Promise<boolean> {
  const deliveries = deliveryModel(connection)
  const key = { webhookId, eventKey: event.key }
  const existing = await deliveries.findOne(key, { state: 1, attempts: 1 }).lean<DeliveryDocument>()
  if (existing) return existing.state === 'waiting' && existing.attempts === 0
  try {
    await deliveries.create({
      ...key,
      ownerId: toObjectId(ownerId),
      event: event.type,
      happenedAt: at,
      data: JSON.stringify(event.data),
      state: 'waiting',
      attempts: 0,
      nextAttemptAt: now,
      createdAt: now,
    })
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
  }
  return true
}
