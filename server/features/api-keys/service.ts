import { EventEmitter } from 'node:events'
import { maxApiKeyDays, type ApiKeyScope } from '#contract/entities/api-key.ts'
import {
  assertRoomForApiKey,
  findByPrefix,
  insertApiKey,
  isApiKeyLive,
  listApiKeys,
  recordAddress,
  recordUse,
  removeApiKey,
  removeApiKeys,
  type ApiKeyRecord,
} from '#data/api-keys/api-keys.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { UserRepository } from '#data/users/users.ts'
import type { Principal, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import { createNotice } from '../mail/mail.ts'
import type { Mailer } from '../mail/mailer.ts'
import { apiKeyCreatedMail } from '../mail/templates/integration-mails.ts'
import { toAuthUser } from '../sessions/authenticate.ts'
import type { SessionWatch } from '../sessions/service.ts'
import type { SignInSettingsService } from '../sign-in-settings/service.ts'
import { createToken, matchesHash, prefixOf, showPrefix } from './token.ts'

const dayMs = 24 * 3_600_000
/** Minimum interval between updates of a key's last use. */
const useIntervalMs = 60_000
/** Prefix of the session id of a call made with a key; ids of real sessions are 24 hex digits. */
const sessionMark = 'key:'

interface ApiKeysDeps {
  connection: DatabaseConnection
  users: Pick<UserRepository, 'findActiveForRequest'>
  signInSettings: Pick<SignInSettingsService, 'current'>
  clock: Clock
  audit: Pick<Audit, 'record'>
  mailer: Pick<Mailer, 'enqueue'>
}

interface NewKey {
  name: string
  scope: ApiKeyScope
  expiresAt: Date
}

/** Keys with which programs call the API for a user. */
export function createApiKeys({ connection, users, signInSettings, clock, audit, mailer }: ApiKeysDeps) {
  const events = new EventEmitter<{ revoked: [keyId: string] }>()
  events.setMaxListeners(0)

  /** Returns the user that a token belongs to, as currently stored; undefined for a wrong, expired or revoked token. */
  async function authenticate(token: string, origin: RequestOrigin): Promise<Principal | undefined> {
    const prefix = prefixOf(token)
    const key = prefix && (await findByPrefix(connection, prefix))
    if (!key || !matchesHash(token, key.tokenHash) || key.expiresAt.getTime() <= clock.now()) return undefined
    const user = await users.findActiveForRequest(key.ownerId)
    if (!user) return undefined
    await noteUse(key, user, origin)
    return {
      user: toAuthUser(user, { settings: await signInSettings.current(), now: clock.now() }),
      // No password was entered, so a check for a recent one refuses the call.
      session: { id: sessionMark + key.id, authenticatedAt: 0, confirmedAt: 0, hasEnteredPassword: false },
      apiKeyScope: key.scope,
    }
  }

  async function noteUse(key: ApiKeyRecord, user: { id: string; email: string }, origin: RequestOrigin) {
    const now = clock.now()
    if (!key.lastUsedAt || key.lastUsedAt.getTime() <= now - useIntervalMs) {
      await recordUse(connection, key, {
        at: new Date(now),
        notSince: new Date(now - useIntervalMs),
        address: origin.ip,
      })
    }
    if (key.addresses.includes(origin.ip) || !(await recordAddress(connection, key, origin.ip))) return
    await record('new_address', user, key, origin)
  }

  /** Creates a key for a user who has just proved their identity. Throws `conflict` if the user has the maximum number of keys. */
  async function create(user: UserRecord, newKey: NewKey, origin: RequestOrigin) {
    const { token, prefix, tokenHash } = createToken()
    const createdAt = new Date(clock.now())
    const key = await insertApiKey(connection, { ...newKey, ownerId: user.id, prefix, tokenHash, createdAt })
    await record('create', user, key, origin)
    mailer.enqueue(async () => {
      if (user.notifications?.securityAlerts === false) return undefined
      return createNotice(apiKeyCreatedMail(user, { scope: key.scope, expiresAt: key.expiresAt }), user, clock)
    })
    return { key, token }
  }

  /** Throws `invalid_input` for an expiry that is not allowed, `conflict` if the user has the maximum number of keys. */
  async function assertCanCreate(userId: string, { expiresAt }: Pick<NewKey, 'expiresAt'>): Promise<void> {
    const untilExpiry = expiresAt.getTime() - clock.now()
    if (untilExpiry <= 0) throw invalidInput(['The expiry must be in the future'], 'expires_at')
    if (untilExpiry > maxApiKeyDays * dayMs) throw invalidInput(['A key expires within two years'], 'expires_at')
    await assertRoomForApiKey(connection, userId)
  }

  /** Returns whether the key existed. */
  async function revoke(user: { id: string; email: string }, id: string, origin: RequestOrigin): Promise<boolean> {
    const removed = await removeApiKey(connection, { id, ownerId: user.id })
    if (!removed) return false
    events.emit('revoked', id)
    await record('revoke', user, removed, origin)
    return true
  }

  async function record(
    event: 'create' | 'revoke' | 'new_address',
    actor: { id: string; email: string },
    { prefix, scope, expiresAt }: ApiKeyRecord,
    origin: RequestOrigin,
  ): Promise<void> {
    const details = `scope ${scope}, expires ${expiresAt.toISOString()}`
    const entry = { action: `api_key.${event}`, outcome: 'success' as const, target: showPrefix(prefix), details }
    await audit.record({ ...entry, actor }, origin)
  }

  /** Watches sessions and, by the session ids of calls made with keys, the keys too: revoking a key also ends what was begun with it. */
  function watch(sessions: SessionWatch): SessionWatch {
    return {
      async isLive(userId, sessionId) {
        if (!sessionId.startsWith(sessionMark)) return sessions.isLive(userId, sessionId)
        const key = { id: sessionId.slice(sessionMark.length), ownerId: userId }
        if (!(await isApiKeyLive(connection, key, new Date(clock.now())))) return false
        const user = await users.findActiveForRequest(userId)
        // Sessions end when the library is closed; a key remains valid, but reaches nothing.
        return user !== undefined && !user.libraryClosure
      },
      onEnded(userId, sessionId, listener) {
        if (!sessionId.startsWith(sessionMark)) return sessions.onEnded(userId, sessionId, listener)
        const onRevoked = (keyId: string) => void (sessionId === sessionMark + keyId && listener())
        events.on('revoked', onRevoked)
        return () => events.off('revoked', onRevoked)
      },
    }
  }

  return {
    authenticate,
    assertCanCreate,
    create,
    revoke,
    watch,
    list: (userId: string) => listApiKeys(connection, userId),
    removeAll: (userId: string) => removeApiKeys(connection, userId),
  }
}

export type ApiKeys = ReturnType<typeof createApiKeys>
