import { createHmac } from 'node:crypto'
import type { Clock } from '#data/clock.ts'
import type { KnownDeviceRepository } from '#data/devices/known-devices.ts'
import { newId } from '#data/ids.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'

export const deviceLifetimeMs = 180 * 24 * 60 * 60_000
/** Per account; a new device replaces the one unused for longest. */
const maxPerUser = 20

interface KnownDevicesDeps {
  repository: KnownDeviceRepository
  clock: Clock
  key: Buffer
}

/**
 * Browsers that have signed in to an account before, recognized by a cookie (OWASP, "Device Cookies"). Each has its own failure counter, so
 * that strangers' wrong passwords lock out only strangers.
 */
export function createKnownDevices({ repository, clock, key }: KnownDevicesDeps) {
  /** Returns part of the cookie's name: each account used in a browser has its own cookie, and no cookie contains an address. */
  function tagOf(email: string): string {
    return createHmac('sha256', key).update(`device:${email}`).digest('base64url').slice(0, 16)
  }

  /** Returns the id of a known device of this account, otherwise undefined. Does the same work for unknown accounts. */
  async function recognize(userId: string | undefined, token: string | undefined): Promise<string | undefined> {
    if (!token) return undefined
    const id = hashToken(token)
    const isKnown = await repository.isKnown({ id, ownerId: userId ?? newId() }, new Date(clock.now()))
    return isKnown ? id : undefined
  }

  /** Records a sign-in from a device; `token` is its cookie if it was recognized. Returns the cookie's value. */
  async function remember(userId: string, token: string | undefined): Promise<string> {
    const kept = token ?? randomToken()
    const now = clock.now()
    const fields = { lastUsedAt: new Date(now), expiresAt: new Date(now + deviceLifetimeMs) }
    await repository.upsert({ id: hashToken(kept), ownerId: userId }, fields)
    await repository.removeSurplus(userId, maxPerUser)
    return kept
  }

  return { tagOf, recognize, remember, forgetAll: repository.removeByOwner }
}

export type KnownDevices = ReturnType<typeof createKnownDevices>
