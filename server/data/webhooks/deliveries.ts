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
export interface DeliveryOutcome extends Pick<DeliveryRecord, 'attempts' | 'status' | 'durationMs' | 'error'> {
  /** What becomes of the delivery; left out if the attempt changes no plan. */
  next?: Pick<DeliveryRecord, 'state' | 'nextAttemptAt'>
}

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

/**
 * Records the outcome of an attempt; repeating it changes nothing. A failed attempt does not undo a delivery that another attempt made at
 * the same time. Returns null if the delivery has been deleted in the meantime.
 */
export async function recordOutcome(
  connection: DatabaseConnection,
  { id, ownerId }: Pick<DeliveryRecord, 'id' | 'ownerId'>,
  { next, attempts, ...result }: DeliveryOutcome,
): Promise<DeliveryRecord | null> {
  const key = { _id: toObjectId(id), ownerId: toObjectId(ownerId) }
  const update = async (filter: object, fields: object) => {
    const updated = await deliveryModel(connection)
      .findOneAndUpdate({ ...key, ...filter }, { $set: fields, $max: { attempts } }, { returnDocument: 'after' })
      .lean<DeliveryDocument>()
    return updated && toRecord(updated)
  }
  if (!next) return update({}, result)
  const all = { ...result, ...next }
  if (next.state === 'delivered') return update({}, all)
  return (await update({ state: { $ne: 'delivered' } }, all)) ?? update({}, { state: 'delivered' })
}

function toRecord({ _id, ownerId, webhookId, ...fields }: DeliveryDocument): DeliveryRecord {
  return {
    ...fields,
    id: _id.toHexString(),
    ownerId: ownerId.toHexString(),
    webhookId: webhookId.toHexString(),
  }
}
