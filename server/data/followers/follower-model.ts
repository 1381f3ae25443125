import { Schema, type Connection, type Model } from 'mongoose'
import { modelOf } from '../model.ts'

/** How far a follower of changes has come, and which process follows at present: see follower-lease.ts. */
export interface FollowerDocument {
  /** The follower's name. */
  _id: string
  /** Changes up to this number are settled and were handled. */
  after: number
  holder: string
  leaseUntil: Date
}

const schema = new Schema<FollowerDocument>(
  {
    _id: { type: String, required: true },
    after: { type: Number, required: true },
    holder: { type: String, required: true },
    leaseUntil: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)

/** The followers of one database connection. */
export function followerModel(connection: Connection): Model<FollowerDocument> {
  return modelOf<FollowerDocument>(connection, 'Follower', schema, 'followers')
}
