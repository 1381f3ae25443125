import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { WebhookDelivery } from '#contract/entities/webhook.ts'
import { modelOf } from '../model.ts'

/** One event for one webhook: see DeliveryRecord. It is kept after delivery, so that the same event is not sent twice. */
export interface DeliveryDocument {
  _id: Types.ObjectId
  webhookId: Types.ObjectId
  ownerId: Types.ObjectId
  /** Identifies the event among its owner's events. */
  eventKey: string
  event: WebhookDelivery['event']
  /** When it happened. */
  happenedAt: Date
  /** Facts of the event as JSON. */
  data: string
  state: WebhookDelivery['state']
  attempts: number
  lastAttemptAt: Date | null
  /** Null unless it is waiting. An attempt in progress moves it ahead. */
  nextAttemptAt: Date | null
  status: number | null
  durationMs: number | null
  error: string | null
  createdAt: Date
}

/** Longer than the maximum age of an event: see owe-webhooks.ts. */
const keptSeconds = 60 * 24 * 3600

const schema = new Schema<DeliveryDocument>(
  {
    webhookId: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    eventKey: { type: String, required: true },
    event: { type: String, required: true },
    happenedAt: { type: Date, required: true },
    data: { type: String, required: true },
    state: { type: String, required: true },
    attempts: { type: Number, required: true },
    lastAttemptAt: { type: Date, default: null },
    nextAttemptAt: { type: Date, default: null },
    status: { type: Number, default: null },
    durationMs: { type: Number, default: null },
    error: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ webhookId: 1, eventKey: 1 }, { unique: true })
schema.index({ webhookId: 1, state: 1, nextAttemptAt: 1 })
schema.index({ webhookId: 1, _id: -1 })
schema.index({ ownerId: 1 })
schema.index({ createdAt: 1 }, { expireAfterSeconds: keptSeconds })

/** The deliveries of one database connection. */
export function deliveryModel(connection: Connection): Model<DeliveryDocument> {
  return modelOf<DeliveryDocument>(connection, 'WebhookDelivery', schema, 'webhook_deliveries')
}
