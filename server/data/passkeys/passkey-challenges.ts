import type { Connection } from 'mongoose'
import { passkeyChallengeModel, type PasskeyChallengeDocument } from './passkey-challenge-model.ts'

/** Stores challenges under a key, one per key, and gives each out once. */
export function createPasskeyChallengeRepository(connection: Connection) {
  const challenges = passkeyChallengeModel(connection)

  /** Stores a challenge in place of an earlier one with this key. */
  async function store(key: string, challenge: string, expiresAt: Date): Promise<void> {
    await challenges.updateOne({ _id: key }, { $set: { challenge, expiresAt } }, { upsert: true })
  }

  /** Deletes the challenge of a key and returns it, unless it has expired at `now`. Of two callers at once one gets it. */
  async function consume(key: string, now: Date): Promise<string | undefined> {
    const found = await challenges.findOneAndDelete({ _id: key }).lean<PasskeyChallengeDocument>()
    return found && found.expiresAt > now ? found.challenge : undefined
  }

  return { store, consume }
}

export type PasskeyChallengeRepository = ReturnType<typeof createPasskeyChallengeRepository>
