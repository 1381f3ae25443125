import { AppError } from '#contract/app-error.ts'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import type { Clock } from '#data/clock.ts'
import { newId } from '#data/ids.ts'
import type { RefreshTokenRepository } from '#data/sessions/refresh-tokens.ts'
import type { SessionKey, SessionRecord, SessionRepository } from '#data/sessions/sessions.ts'
import type { UserRepository } from '#data/users/users.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import type { SignInSettingsService } from '../sign-in-settings/service.ts'
import { createAuthenticate, isAlive } from './authenticate.ts'
import { createEnding } from './ending.ts'
import { createIssuer, type StartedSession } from './issue.ts'
import { lifetimesOf, limitSession } from './lifetimes.ts'
import type { Tokens } from './tokens.ts'

/** Maximum number of live sessions of one account (ASVS 5, 7.1.2): a further sign-in ends the one unused for longest. */
const maxPerUser = 100

interface StartOptions {
  userId: string
  isRemembered: boolean
  /** Browsers are bound to a cookie that refreshing requires. */
  isBrowser: boolean
  origin: RequestOrigin
  /** See SessionDocument. Default false. */
  hasProvenSecondFactor?: boolean
  /** See SessionDocument. */
  provider?: SessionRecord['provider']
  /** Whether the session begins with a passkey rather than the password. Default false. */
  isByPasskey?: boolean
}

interface Confirmation {
  origin: RequestOrigin
  /** Whether every factor of the account was proven, not just the password. */
  isEveryFactor: boolean
}

interface SessionsDeps {
  sessions: SessionRepository
  refreshTokens: RefreshTokenRepository
  users: Pick<UserRepository, 'isActive' | 'storeLanguage'>
  signInSettings: Pick<SignInSettingsService, 'current'>
  clock: Clock
  tokens: Tokens
  /** Called when a used refresh token was presented again, after its session has been ended. */
  onReuse: (session: { userId: string; sessionId: string }, origin: RequestOrigin) => Promise<void>
  /** Called at each sign-in. */
  onStart: (userId: string, origin: RequestOrigin) => Promise<void>
}

const expiredError = () => new AppError('session_expired', 'Token has expired')

/** Signed-in sessions: short-lived access tokens checked against the session at each request, and rotating refresh tokens. */
export function createSessions(deps: SessionsDeps) {
  const { sessions, refreshTokens, users, signInSettings, clock, tokens, onReuse, onStart } = deps
  const { issue, isWithinGrace, findHead } = createIssuer({ refreshTokens, clock, tokens })
  const ending = createEnding({ sessions, refreshTokens })

  async function start(options: StartOptions): Promise<StartedSession> {
    const {
      userId,
      isRemembered,
      isBrowser,
      origin,
      hasProvenSecondFactor = false,
      provider,
      isByPasskey = false,
    } = options
    const now = clock.now()
    const { idleMs, absoluteMs } = lifetimesOf(await signInSettings.current(), isRemembered)
    const binding = isBrowser ? randomToken() : undefined
    const session: SessionRecord = {
      id: newId(),
      ownerId: userId,
      ip: origin.ip,
      userAgent: origin.userAgent,
      isRemembered,
      bindingHash: binding ? hashToken(binding) : null,
      generation: 0,
      hasProvenSecondFactor,
      ...(provider && { provider }),
      hasEnteredPassword: !provider && !isByPasskey,
      authenticatedAt: new Date(now),
      confirmedAt: new Date(now),
      createdAt: new Date(now),
      lastUsedAt: new Date(now),
      idleExpiresAt: new Date(now + idleMs),
      expiresAt: new Date(now + absoluteMs),
    }
    await sessions.insert(session)
    if (origin.language) await users.storeLanguage(userId, origin.language)
    await onStart(userId, origin)
    for (const surplusId of await sessions.listSurplus(userId, maxPerUser)) await ending.end(userId, surplusId)
    return { ...(await issue(session, null)), binding }
  }

  /**
   * Records that the password, or every factor of the account, was confirmed, and issues new tokens; earlier access tokens become void
   * immediately (ASVS 5, 7.2.4). The earlier refresh token is treated like a used one: for ten seconds it is exchanged for the same
   * successor. Throws `session_expired`.
   */
  async function renew(key: SessionKey, { origin, isEveryFactor }: Confirmation): Promise<StartedSession> {
    const session = await sessions.renew(key, { now: new Date(clock.now()), ip: origin.ip, isEveryFactor })
    if (!session) throw expiredError()
    return issue(session, await findHead(session.id))
  }

  /** Returns a session unless it has ended under the current settings. */
  async function findLive(key: SessionKey, settings: SignInSettings): Promise<SessionRecord | undefined> {
    const found = await sessions.find(key)
    const session = found && limitSession(found, settings)
    return session && isAlive(session, clock.now()) ? session : undefined
  }

  async function list(userId: string): Promise<SessionRecord[]> {
    const settings = await signInSettings.current()
    const now = clock.now()
    const found = await sessions.listLive(userId, new Date(now))
    return found.map((session) => limitSession(session, settings)).filter((session) => isAlive(session, now))
  }

  /** Returns the session that a refresh token was issued for, whether used or not. Used for rate limits. */
  async function sessionIdOf(refreshToken: string): Promise<string | undefined> {
    return (await refreshTokens.find(hashToken(refreshToken)))?.sessionId
  }

  /**
   * Exchanges a refresh token. Reuse ends the whole session, except for a retry within the grace period: somebody else has the token, and
   * the owner cannot be told apart from the thief. Throws `session_expired`.
   */
  async function refresh(
    refreshToken: string,
    binding: string | undefined,
    origin: RequestOrigin,
  ): Promise<StartedSession> {
    const now = clock.now()
    const hash = hashToken(refreshToken)
    const token = await refreshTokens.find(hash)
    if (!token) throw expiredError()
    const settings = await signInSettings.current()
    const session = await findLive({ id: token.sessionId, ownerId: token.ownerId }, settings)
    if (!session) throw expiredError()
    if (session.bindingHash && (!binding || hashToken(binding) !== session.bindingHash)) throw expiredError()
    if (token.usedAt && !(await isWithinGrace(token, now))) {
      await ending.end(session.ownerId, session.id)
      await onReuse({ userId: session.ownerId, sessionId: session.id }, origin)
      throw expiredError()
    }
    if (!(await users.isActive(session.ownerId))) throw expiredError()
    const started = await issue(session, hash)
    const { idleMs } = lifetimesOf(settings, session.isRemembered)
    const use = { lastUsedAt: new Date(now), idleExpiresAt: new Date(now + idleMs), ip: origin.ip }
    if (!(await sessions.recordUse(session.id, use))) throw expiredError()
    return started
  }

  return {
    start,
    renew,
    refresh,
    sessionIdOf,
    authenticate: createAuthenticate({ sessions, signInSettings, clock, tokens }),
    list,
    /** Returns whether the session still exists in the database: another server may have ended it. */
    isLive: async (userId: string, sessionId: string) =>
      (await findLive({ id: sessionId, ownerId: userId }, await signInSettings.current())) !== undefined,
    ...ending,
  }
}

export type Sessions = ReturnType<typeof createSessions>

/** The part of sessions that event streams and uploads use. */
export type SessionWatch = Pick<Sessions, 'isLive' | 'onEnded'>
