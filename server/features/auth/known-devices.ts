import { createHmac } from 'node:crypto'
import { Types, type Connection } from 'mongoose'
import { knownDeviceModel } from '#data/devices/known-device-model.ts'
import type { Clock } from '#data/clock.ts'
import { hashToken, randomToken } from '../sessions/tokens.ts'

export const deviceLifetimeMs = 180 * 24 * 60 * 60_000
/** Of one account; the one unused for longest is forgotten for a new one. */
const maxPerUser = 20

/**
 * Browsers that signed in to an account before, by a cookie of their own (OWASP, "Device Cookies"). They have a failure counter of
 * their own, so that a stranger's wrong passwords lock out strangers alone.
 */
export function createKnownDevices({ connection, clock, key }: { connection: Connection; clock: Clock; key: Buffer }) {
  const devices = knownDeviceModel(connection)

  /** Part of the cookie's name: each account of a browser has its own cookie, and no cookie names an address. */
  function tagOf(email: string): string {
    return createHmac('sha256', key).update(`device:${email}`).digest('base64url').slice(0, 16)
  }

  /** The id of a known device of this account, else undefined. For unknown accounts it does the same work. */
  async function recognize(userId: Types.ObjectId | undefined, token: string | undefined): Promise<string | undefined> {
    if (!token) return undefined
    const owner = userId ?? new Types.ObjectId()
    const id = hashToken(token)
    const found = await devices.exists({ _id: id, userId: owner, expiresAt: { $gt: new Date(clock.now()) } })
    return found ? id : undefined
  }

  /** Notes a sign-in of a device; `token` is its cookie when it was recognized. Returns the cookie's value. */
  async function remember(userId: Types.ObjectId, token: string | undefined): Promise<string> {
    const kept = token ?? randomToken()
    const now = clock.now()
    const fields = { lastUsedAt: new Date(now), expiresAt: new Date(now + deviceLifetimeMs) }
    await devices.updateOne({ _id: hashToken(kept), userId }, { $set: fields }, { upsert: true })
    const surplus = await devices.find({ userId }, { _id: 1 }).sort({ lastUsedAt: -1 }).skip(maxPerUser).lean()
    if (surplus.length > 0) await devices.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } })
    return kept
  }

  /** Makes every device of a user a stranger again. */
  async function forgetAll(userId: Types.ObjectId): Promise<void> {
    await devices.deleteMany({ userId })
  }

  return { tagOf, recognize, remember, forgetAll }
}

export type KnownDevices = ReturnType<typeof createKnownDevices>
