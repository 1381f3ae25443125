import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** A mail that waits for its mail server, or to be handed over by hand. Its message is kept only in files. */
export interface OutboxMailDocument {
  _id: Types.ObjectId
  userId: Types.ObjectId
  to: string
  subject: string
  purpose: string
  /** Failed deliveries. */
  attempts: number
  /** Why the last delivery failed; empty when none did. */
  lastError: string
  /** When it is delivered next; null when no mail server is set. A delivery in progress moves it ahead. */
  nextTryAt: Date | null
  createdAt: Date
  expiresAt: Date
}

const outboxMailSchema = new Schema<OutboxMailDocument>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    to: { type: String, required: true },
    subject: { type: String, required: true },
    purpose: { type: String, required: true },
    attempts: { type: Number, default: 0 },
    lastError: { type: String, default: '' },
    nextTryAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
outboxMailSchema.index({ userId: 1, purpose: 1 })
outboxMailSchema.index({ createdAt: -1, _id: -1 })
outboxMailSchema.index({ expiresAt: 1 })
outboxMailSchema.index({ nextTryAt: 1 })
outboxMailSchema.index({ attempts: 1 })

export function outboxMailModel(connection: Connection) {
  return modelOf<OutboxMailDocument>(connection, 'OutboxMail', outboxMailSchema, 'outbox_mails')
}
