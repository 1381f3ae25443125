import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** Room in a user's quota for a running upload: counted like a recording until there is one. */
export interface ReservationDocument {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  bytes: number
  /** Renewed while the upload continues: what a crashed server had reserved is soon free again. */
  expiresAt: Date
}

const schema = new Schema<ReservationDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    bytes: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1 })
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 })

/** The reservations of one database connection. */
export function reservationModel(connection: Connection): Model<ReservationDocument> {
  return modelOf<ReservationDocument>(connection, 'Reservation', schema, 'reservations')
}
