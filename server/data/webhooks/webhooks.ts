import { AppError } from '#contract/app-error.ts'
import { maxWebhooks, type WebhookEvent } from '#contract/entities/webhook.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { insertInSlot, type SlotLimit } from '../slots.ts'
import { deliveryModel } from './delivery-model.ts'
import { never, webhookModel, type WebhookDocument } from './webhook-model.ts'

export interface WebhookRecord extends Omit<WebhookDocument, '_id' | 'ownerId' | 'slot'> {
  id: string
  ownerId: string
}

/** A webhook of one owner. */
export interface WebhookKey {
  id: string
  ownerId: string
}

/** Returns the webhooks of an owner, oldest first. */
export async function listWebhooks(connection: DatabaseConnection, ownerId: string): Promise<WebhookRecord[]> {
  const found = await webhookModel(connection)
    .find({ ownerId: toObjectId(ownerId) })
    .sort({ _id: 1 })
    .limit(100)
    .lean<WebhookDocument[]>()
  return found.map(toRecord)
}

export async function findWebhook(connection: DatabaseConnection, key: WebhookKey): Promise<WebhookRecord | null> {
  const found = await webhookModel(connection).findOne(toFilter(key)).lean<WebhookDocument>()
  return found && toRecord(found)
}

/**
 * Stores an enabled webhook. The caller chooses the id, because the secret is encrypted for it. Throws `conflict` where the owner has
 * the maximum number of webhooks.
 */
export async function insertWebhook(
  connection: DatabaseConnection,
  { id, ownerId, ...fields }: Pick<WebhookRecord, 'id' | 'ownerId' | 'url' | 'events' | 'sealedSecret'>,
): Promise<WebhookRecord> {
  const now = await readDatabaseTime(connection)
  const document = {
    ...fields,
    _id: toObjectId(id),
    ownerId: toObjectId(ownerId),
    isEnabled: true,
    enabledAt: now,
    dueAt: never,
    leaseUntil: new Date(0),
    failuresInARow: 0,
    createdAt: now,
  }
  const created = await insertInSlot(limitOf(connection, ownerId), (slot) =>
    webhookModel(connection).create({ ...document, slot }),
  )
  return toRecord(created.toObject())
}

/** Changes the given fields; returns null where the owner has no such webhook. */
export async function updateWebhook(
  connection: DatabaseConnection,
  key: WebhookKey,
  { url, events }: { url?: string | undefined; events?: WebhookEvent[] | undefined },
): Promise<WebhookRecord | null> {
  return update(connection, key, { ...(url !== undefined && { url }), ...(events && { events }) })
}

/** Enables a webhook: waiting deliveries and events from now on are sent. Changes nothing if it was already enabled. */
export async function enableWebhook(connection: DatabaseConnection, key: WebhookKey): Promise<void> {
  const now = await readDatabaseTime(connection)
  const isOn = { isEnabled: true, enabledAt: now, dueAt: now, switchedOffAt: null }
  await webhookModel(connection).updateOne(
    { ...toFilter(key), isEnabled: false },
    { $set: { ...isOn, failuresInARow: 0, failingSince: null } },
  )
}

/** Disables a webhook; `switchedOffAt` is set if failures are the reason. Returns whether it was enabled. */
export async function disableWebhook(
  connection: DatabaseConnection,
  key: WebhookKey,
  switchedOffAt: Date | null = null,
): Promise<boolean> {
  const { modifiedCount } = await webhookModel(connection).updateOne(
    { ...toFilter(key), isEnabled: true },
    { $set: { isEnabled: false, dueAt: never, switchedOffAt } },
  )
  return modifiedCount === 1
}

async function update(
  connection: DatabaseConnection,
  key: WebhookKey,
  fields: Partial<WebhookDocument>,
): Promise<WebhookRecord | null> {
  const updated = await webhookModel(connection)
    .findOneAndUpdate(toFilter(key), { $set: fields }, { returnDocument: 'after' })
    .lean<WebhookDocument>()
  return updated && toRecord(updated)
}

/** Records a delivery attempt. Returns the updated webhook; null where it was deleted in the meantime. */
export async function recordAttempt(
  connection: DatabaseConnection,
  key: Pick<WebhookRecord, 'id' | 'ownerId' | 'failuresInARow'>,
  { at, isDelivered }: { at: Date; isDelivered: boolean },
): Promise<WebhookRecord | null> {
  const lastAttempt = { at, isDelivered }
  if (isDelivered) return update(connection, key, { lastAttempt, failuresInARow: 0, failingSince: null })
  const webhooks = webhookModel(connection)
  await webhooks.updateOne({ ...toFilter(key), failingSince: null }, { $set: { failingSince: at } })
  const updated = await webhooks
    .findOneAndUpdate(
      toFilter(key),
      { $set: { lastAttempt, failuresInARow: key.failuresInARow + 1 } },
      { returnDocument: 'after' },
    )
    .lean<WebhookDocument>()
  return updated && toRecord(updated)
}

/** Deletes a webhook and its deliveries. Returns whether it existed. */
export async function removeWebhook(connection: DatabaseConnection, key: WebhookKey): Promise<boolean> {
  const { deletedCount } = await webhookModel(connection).deleteOne(toFilter(key))
  await deliveryModel(connection).deleteMany({ webhookId: toObjectId(key.id), ownerId: toObjectId(key.ownerId) })
  return deletedCount === 1
}

/** Deletes all webhooks of an owner and their deliveries. */
export async function removeWebhooks(connection: DatabaseConnection, ownerId: string): Promise<void> {
  const owned = { ownerId: toObjectId(ownerId) }
  await webhookModel(connection).deleteMany(owned)
  await deliveryModel(connection).deleteMany(owned)
}

function toFilter({ id, ownerId }: WebhookKey) {
  return { _id: toObjectId(id), ownerId: toObjectId(ownerId) }
}

function limitOf(connection: DatabaseConnection, ownerId: string): SlotLimit<WebhookDocument> {
  return {
    model: webhookModel(connection),
    scope: { ownerId: toObjectId(ownerId) },
    max: maxWebhooks,
    fullError: () =>
      new AppError('conflict', `You have ${maxWebhooks} webhooks. Please delete one that is not used any more.`),
  }
}

export function toRecord({ _id, ownerId, slot: _slot, ...fields }: WebhookDocument): WebhookRecord {
  return { ...fields, id: _id.toHexString(), ownerId: ownerId.toHexString() }
}
