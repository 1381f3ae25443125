import { maxShownDeliveries } from '#contract/entities/webhook.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { newId, toObjectId } from '../ids.ts'
import { deliveryModel, type DeliveryDocument } from './delivery-model.ts'
import type { WebhookKey } from './webhooks.ts'

export interface DeliveryRecord extends Omit<DeliveryDocument, '_id' | 'ownerId' | 'webhookId'> {
  id: string
  ownerId: string
  webhookId: string
}

/** The outcome of an attempt. */
export type DeliveryAttempt = Pick<
  DeliveryRecord,
  'attempts' | 'state' | 'nextAttemptAt' | 'status' | 'durationMs' | 'error'
>

/** Returns the latest deliveries of a webhook, newest first. */
export async function listDeliveries(connection: DatabaseConnection, webhook: WebhookKey): Promise<DeliveryRecord[]> {
  const found = await deliveryModel(connection)
    .find({ webhookId: toObjectId(webhook.id), ownerId: toObjectId(webhook.ownerId) })
    .sort({ _id: -1 })
    .limit(maxShownDeliveries)
    .lean<DeliveryDocument[]>()
  return found.map(toRecord)
}

/** Stores a ping, which the caller sends once. */
export async function insertPing(connection: DatabaseConnection, webhook: WebhookKey): Promise<DeliveryRecord> {
  const now = await readDatabaseTime(connection)
  const created = await deliveryModel(connection).create({
    webhookId: toObjectId(webhook.id),
    ownerId: toObjectId(webhook.ownerId),
    eventKey: `ping:${newId()}`,
    event: 'ping',
    happenedAt: now,
    data: '{}',
    state: 'failed',
    attempts: 0,
    createdAt: now,
  })
  return toRecord(created.toObject())
}

/**
 * Begins an attempt at the webhook's delivery that has been due longest; it is due again at `retryAt` if no outcome is recorded. The
 * returned record counts the attempt, but the count is stored only with the outcome: an attempt prevented by the database does not count.
 */
export async function beginDueAttempt(
  connection: DatabaseConnection,
  webhook: WebhookKey,
  { now, retryAt }: { now: Date; retryAt: Date },
): Promise<DeliveryRecord | null> {
  const begun = await deliveryModel(connection)
    .findOneAndUpdate(
      { webhookId: toObjectId(webhook.id), state: 'waiting', nextAttemptAt: { $lte: now } },
      { $set: { nextAttemptAt: retryAt, lastAttemptAt: now } },
      { sort: { nextAttemptAt: 1 }, returnDocument: 'after' },
    )
    .lean<DeliveryDocument>()
  return begun && countAttempt(toRecord(begun))
}

/** Begins an attempt at one delivery, whatever its state; null where the webhook has no such delivery. */
export async function beginAttempt(
  connection: DatabaseConnection,
  webhook: WebhookKey,
  { id, now }: { id: string; now: Date },
): Promise<DeliveryRecord | null> {
  const begun = await deliveryModel(connection)
    .findOneAndUpdate(
      { _id: toObjectId(id), webhookId: toObjectId(webhook.id), ownerId: toObjectId(webhook.ownerId) },
      { $set: { lastAttemptAt: now } },
      { returnDocument: 'after' },
    )
    .lean<DeliveryDocument>()
  return begun && countAttempt(toRecord(begun))
}

function countAttempt(delivery: DeliveryRecord): DeliveryRecord {
  return { ...delivery, attempts: delivery.attempts + 1 }
}

/** Records the outcome of an attempt; repeating it changes nothing. Returns null where the delivery was deleted in the meantime. */
export async function recordOutcome(
  connection: DatabaseConnection,
  { id, ownerId }: Pick<DeliveryRecord, 'id' | 'ownerId'>,
  outcome: DeliveryAttempt,
): Promise<DeliveryRecord | null> {
  const updated = await deliveryModel(connection)
    .findOneAndUpdate(
      { _id: toObjectId(id), ownerId: toObjectId(ownerId) },
      { $set: outcome },
      { returnDocument: 'after' },
    )
    .lean<DeliveryDocument>()
  return updated && toRecord(updated)
}

function toRecord({ _id, ownerId, webhookId, ...fields }: DeliveryDocument): DeliveryRecord {
  return {
    ...fields,
    id: _id.toHexString(),
    ownerId: ownerId.toHexString(),
    webhookId: webhookId.toHexString(),
  }
}
