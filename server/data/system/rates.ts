import type { Connection } from 'mongoose'
import { isDuplicateKey } from '../model.ts'
import { rateModel } from './rate-model.ts'

/** Counts calls for rate limits, shared by all servers. */
export function createRateRepository(connection: Connection) {
  const rates = rateModel(connection)

  /** Adds one to a counter, which expires at the end of its window, and returns the count. */
  async function increment(id: string, expiresAt: Date): Promise<number> {
    try {
      return await upsert(id, expiresAt)
    } catch (error) {
      // Two first calls at once: one inserts the counter, the other finds it now.
      if (!isDuplicateKey(error)) throw error
      return upsert(id, expiresAt)
    }
  }

  async function upsert(id: string, expiresAt: Date): Promise<number> {
    const update = { $inc: { count: 1 }, $setOnInsert: { expiresAt } }
    const counted = await rates.findOneAndUpdate({ _id: id }, update, { upsert: true, returnDocument: 'after' }).lean()
    return counted?.count ?? 1
  }

  return { increment }
}

export type RateRepository = ReturnType<typeof createRateRepository>
