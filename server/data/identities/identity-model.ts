import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** A person of a provider and the account that is theirs. `_id` is provider and subject, so that a person has one account. */
export interface IdentityDocument {
  _id: string
  providerId: string
  userId: Types.ObjectId
  /** The provider's own, unchanging id of the person. */
  subject: string
  linkedAt: Date
}

const schema = new Schema<IdentityDocument>(
  {
    _id: { type: String, required: true },
    providerId: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    subject: { type: String, required: true },
    linkedAt: { type: Date, required: true },
  },
  { versionKey: false },
)
schema.index({ userId: 1 })
schema.index({ providerId: 1 })

export function identityModel(connection: Connection) {
  return modelOf<IdentityDocument>(connection, 'Identity', schema, 'identities')
}
