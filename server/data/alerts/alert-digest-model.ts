import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { DigestMode } from '#contract/alerts.ts'
import { modelOf } from '../model.ts'

/** When a user receives alert mails: see AlertDigest. */
export interface AlertDigestDocument {
  /** The user's id. */
  _id: Types.ObjectId
  mode: DigestMode
  hour: number
  timeZone: string
  withContent: boolean
  /** When the next mail is sent; null while there is nothing to report. */
  dueAt: Date | null
}

const schema = new Schema<AlertDigestDocument>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    mode: { type: String, required: true },
    hour: { type: Number, required: true },
    timeZone: { type: String, required: true },
    withContent: { type: Boolean, required: true },
    dueAt: { type: Date, default: null },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ dueAt: 1 })

/** The alert mail settings of one database connection. */
export function alertDigestModel(connection: Connection): Model<AlertDigestDocument> {
  return modelOf<AlertDigestDocument>(connection, 'AlertDigest', schema, 'alert_digests')
}
