import { type Connection, Schema } from 'mongoose'
import { isDuplicateKey, modelOf } from '../model.ts'

/** The count of one rate limit in one window. */
interface RateDocument {
  _id: string
  count: number
  expiresAt: Date
}

const schema = new Schema<RateDocument>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 })

/** Counts calls for rate limits, shared by all servers. */
export function createRateRepository(connection: Connection) {
  const rates = rateModel(connection)

  /** Adds to a counter, 1 by default, and returns the count. The counter expires at the end of its window. */
  async function increment(id: string, expiresAt: Date, added = 1): Promise<number> {
    try {
      return await upsert(id, expiresAt, added)
    } catch (error) {
      // Of two simultaneous first calls, one has inserted the counter, and the other now finds it.
      if (!isDuplicateKey(error)) throw error
      return upsert(id, expiresAt, added)
    }
  }

  async function upsert(id: string, expiresAt: Date, added: number): Promise<number> {
    const update = { $inc: { count: added }, $setOnInsert: { expiresAt } }
    const counted = await rates.findOneAndUpdate({ _id: id }, update, { upsert: true, returnDocument: 'after' }).lean()
    return counted?.count ?? added
  }

  return { increment }
}

export type RateRepository = ReturnType<typeof createRateRepository>

export function rateModel(connection: Connection) {
  return modelOf<RateDocument>(connection, 'Rate', schema, 'rates')
}
