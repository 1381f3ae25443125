import { type Connection, Schema, type Types } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { modelOf } from '../model.ts'

/** Identifies a device of a user; `id` is the SHA-256 of its cookie. */
export interface KnownDeviceKey {
  id: string
  ownerId: string
}

/** A browser that has signed in to an account before: failures elsewhere do not lock it out. */
interface KnownDeviceDocument {
  /** SHA-256 of the device cookie. */
  _id: string
  userId: Types.ObjectId
  lastUsedAt: Date
  expiresAt: Date
}

const schema = new Schema<KnownDeviceDocument>(
  {
    _id: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    lastUsedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
schema.index({ userId: 1, lastUsedAt: -1 })
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

/** Reads and writes the browsers that have signed in to an account before. */
export function createKnownDeviceRepository(connection: Connection) {
  const devices = knownDeviceModel(connection)

  /** Returns whether the device is known and has not expired at `now`. */
  async function isKnown({ id, ownerId }: KnownDeviceKey, now: Date): Promise<boolean> {
    const found = await devices.exists({ _id: id, userId: toObjectId(ownerId), expiresAt: { $gt: now } })
    return found !== null
  }

  async function upsert({ id, ownerId }: KnownDeviceKey, fields: { lastUsedAt: Date; expiresAt: Date }): Promise<void> {
    await devices.updateOne({ _id: id, userId: toObjectId(ownerId) }, { $set: fields }, { upsert: true })
  }

  /** Removes all devices of a user except the `maxKept` most recently used. */
  async function removeSurplus(ownerId: string, maxKept: number): Promise<void> {
    const surplus = await devices
      .find({ userId: toObjectId(ownerId) }, { _id: 1 })
      .sort({ lastUsedAt: -1 })
      .skip(maxKept)
      .lean()
    if (surplus.length > 0) await devices.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } })
  }

  async function removeByOwner(ownerId: string): Promise<void> {
    await devices.deleteMany({ userId: toObjectId(ownerId) })
  }

  return { isKnown, upsert, removeSurplus, removeByOwner }
}

export type KnownDeviceRepository = ReturnType<typeof createKnownDeviceRepository>

export function knownDeviceModel(connection: Connection) {
  return modelOf<KnownDeviceDocument>(connection, 'KnownDevice', schema, 'known_devices')
}
