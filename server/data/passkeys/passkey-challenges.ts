import { type Connection, Schema } from 'mongoose'
import { modelOf } from '../model.ts'

/** A challenge for an authenticator to sign. It is deleted when used. */
interface PasskeyChallengeDocument {
  /** What it belongs to: a session that adds a passkey, or the SHA-256 of the token of a sign-in. */
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

/** Stores challenges, one per key, and hands each out only once. */
export function createPasskeyChallengeRepository(connection: Connection) {
  const challenges = passkeyChallengeModel(connection)

  /** Stores a challenge, replacing any earlier one with this key. */
  async function store(key: string, challenge: string, expiresAt: Date): Promise<void> {
    await challenges.updateOne({ _id: key }, { $set: { challenge, expiresAt } }, { upsert: true })
  }

  /** Deletes the challenge of a key and returns it, unless it has expired at `now`. Of two simultaneous callers, only one gets it. */
  async function consume(key: string, now: Date): Promise<string | undefined> {
    const found = await challenges.findOneAndDelete({ _id: key }).lean<PasskeyChallengeDocument>()
    return found && found.expiresAt > now ? found.challenge : undefined
  }

  return { store, consume }
}

export type PasskeyChallengeRepository = ReturnType<typeof createPasskeyChallengeRepository>

export function passkeyChallengeModel(connection: Connection) {
  return modelOf<PasskeyChallengeDocument>(connection, 'PasskeyChallenge', schema, 'passkey_challenges')
}
