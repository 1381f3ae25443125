import { Schema, type Connection } from 'mongoose'
import { modelOf } from '../model.ts'

/** A challenge that an authenticator has to sign. It is deleted when it is used. */
export interface PasskeyChallengeDocument {
  /** What it belongs to: a session that adds a passkey, or the SHA-256 of the token of somebody who signs in. */
  _id: string
  /** base64url. */
  challenge: string
  expiresAt: Date
}

const schema = new Schema<PasskeyChallengeDocument>(
  {
    _id: { type: String, required: true },
    challenge: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

export function passkeyChallengeModel(connection: Connection) {
  return modelOf<PasskeyChallengeDocument>(connection, 'PasskeyChallenge', schema, 'passkey_challenges')
}
