import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { webhookEvents, type WebhookEvent } from '#contract/entities/webhook.ts'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

/** An address that receives events of its owner, and the time of the next delivery: see WebhookRecord. */
export interface WebhookDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  url: string
  events: WebhookEvent[]
  /** The signing secret, encrypted with the server's key. */
  sealedSecret: string
  isEnabled: boolean
  /** Events before this are not sent. */
  enabledAt: Date
  switchedOffAt: Date | null
  /** When a delivery may be due, `never` if none is waiting. A dispatcher moves it to the end of its lease while it sends. */
  dueAt: Date
  /** Until then only the dispatcher that holds the lease sends. After a failure nobody does, to give the receiver a rest. */
  leaseUntil: Date
  /** Failed attempts since the last delivery. */
  failuresInARow: number
  /** When the first of them failed. */
  failingSince: Date | null
  lastAttempt: { at: Date; isDelivered: boolean } | null
  createdAt: Date
}

/** The `dueAt` of a webhook without anything to deliver. A date, so that `$min` replaces it. */
export const never = new Date('9999-01-01T00:00:00Z')

const schema = new Schema<WebhookDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    url: { type: String, required: true },
    events: { type: [{ type: String, enum: webhookEvents }], required: true },
    sealedSecret: { type: String, required: true },
    isEnabled: { type: Boolean, required: true },
    enabledAt: { type: Date, required: true },
    switchedOffAt: { type: Date, default: null },
    dueAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
    failuresInARow: { type: Number, required: true },
    failingSince: { type: Date, default: null },
    lastAttempt: { type: Schema.Types.Mixed, default: null },
    createdAt: { type: Date, required: true },
    slot: { type: Number },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1 })
addSlots(schema, ['ownerId'])
schema.index({ dueAt: 1 })

/** The webhooks of one database connection. */
export function webhookModel(connection: Connection): Model<WebhookDocument> {
  return modelOf<WebhookDocument>(connection, 'Webhook', schema, 'webhooks')
}
