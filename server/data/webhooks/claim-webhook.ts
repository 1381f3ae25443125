import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { deliveryModel, type DeliveryDocument } from './delivery-model.ts'
import { never, webhookModel, type WebhookDocument } from './webhook-model.ts'
import { toRecord, type WebhookRecord } from './webhooks.ts'

/** No claim or pause is longer than this: a longer one was made before the clock was set back. */
const maxRestMs = 2 * 3_600_000

interface ClaimOptions {
  now: Date
  leaseUntil: Date
  /** Owners whose webhooks are left out because enough of them are already being sent to. */
  busyOwners: string[]
}

/** Claims the webhook that has been due longest until `leaseUntil`; no other dispatcher claims it before then. Null where none is due. */
export async function claimDueWebhook(
  connection: DatabaseConnection,
  { now, leaseUntil, busyOwners }: ClaimOptions,
): Promise<WebhookRecord | null> {
  const claimed = await webhookModel(connection)
    .findOneAndUpdate(
      {
        dueAt: { $lte: now },
        $or: [{ leaseUntil: { $lte: now } }, { leaseUntil: { $gt: new Date(now.getTime() + maxRestMs) } }],
        isEnabled: true,
        ...(busyOwners.length > 0 && { ownerId: { $nin: busyOwners.map(toObjectId) } }),
      },
      { $set: { dueAt: leaseUntil, leaseUntil } },
      { sort: { dueAt: 1 }, returnDocument: 'after' },
    )
    .lean<WebhookDocument>()
  return claimed && toRecord(claimed)
}

/** Returns when the next webhook is due; null where nothing waits to be sent. */
export async function readNextDue(connection: DatabaseConnection): Promise<Date | null> {
  const next = await webhookModel(connection)
    .findOne({ dueAt: { $gt: new Date(0), $lt: never }, isEnabled: true }, { dueAt: 1 })
    .sort({ dueAt: 1 })
    .lean<Pick<WebhookDocument, 'dueAt'>>()
  return next?.dueAt ?? null
}

/**
 * Ends a claim: the webhook is due again when its next delivery is, and cannot be claimed before `notBefore`. If an event was added during
 * the claim, the `dueAt` that it set stays.
 */
export async function releaseWebhook(
  connection: DatabaseConnection,
  { id, leaseUntil }: Pick<WebhookRecord, 'id' | 'leaseUntil'>,
  notBefore: Date,
): Promise<void> {
  const _id = toObjectId(id)
  const next = await deliveryModel(connection)
    .findOne({ webhookId: _id, state: 'waiting' }, { nextAttemptAt: 1 })
    .sort({ nextAttemptAt: 1 })
    .lean<DeliveryDocument>()
  const nextAt = next?.nextAttemptAt ?? never
  const webhooks = webhookModel(connection)
  await webhooks.updateOne({ _id, dueAt: leaseUntil }, { $set: { dueAt: nextAt > notBefore ? nextAt : notBefore } })
  await webhooks.updateOne({ _id, leaseUntil }, { $set: { leaseUntil: notBefore } })
}
