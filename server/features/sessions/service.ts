import { Types, type Connection } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import { refreshTokenModel, type RefreshTokenDoc } from '#data/sessions/refresh-token-model.ts'
import { sessionModel, type SessionDoc } from '#data/sessions/session-model.ts'
import { userModel } from '#data/users/user-model.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import { createAuthenticate, isAlive } from './authenticate.ts'
import { createEnding } from './ending.ts'
import { createIssuer, type StartedSession } from './issue.ts'
import { hashToken, randomToken, type Tokens } from './tokens.ts'

const hourMs = 60 * 60_000
const lifetimes = {
  session: { idleMs: 8 * hourMs, absoluteMs: 24 * hourMs },
  remembered: { idleMs: 14 * 24 * hourMs, absoluteMs: 30 * 24 * hourMs },
}
/** Live sessions of one account (ASVS 5, 7.1.2): a further sign-in ends the one unused for longest. */
const maxPerUser = 100

interface StartOptions {
  userId: string
  isRemembered: boolean
  /** Browsers are bound to a cookie that refreshing requires. */
  isBrowser: boolean
  origin: RequestOrigin
}

interface SessionDeps {
  connection: Connection
  clock: Clock
  tokens: Tokens
  onReuse: (facts: { userId: string; sessionId: string }, origin: RequestOrigin) => Promise<void>
}

const expired = () => new AppError('session_expired', 'Token has expired')

/** Signed-in sessions: short access tokens checked against the session at each request, and rotating refresh tokens. */
export function createSessions({ connection, clock, tokens, onReuse }: SessionDeps) {
  const sessions = sessionModel(connection)
  const refreshTokens = refreshTokenModel(connection)
  const { issue, isWithinGrace, findHead } = createIssuer({ connection, clock, tokens })
  const users = userModel(connection)
  const ending = createEnding(connection)

  async function start({ userId, isRemembered, isBrowser, origin }: StartOptions): Promise<StartedSession> {
    const now = clock.now()
    const { idleMs, absoluteMs } = isRemembered ? lifetimes.remembered : lifetimes.session
    const binding = isBrowser ? randomToken() : undefined
    const session: SessionDoc = {
      _id: new Types.ObjectId(),
      userId: new Types.ObjectId(userId),
      ip: origin.ip,
      userAgent: origin.userAgent,
      isRemembered,
      bindingHash: binding ? hashToken(binding) : null,
      generation: 0,
      authenticatedAt: new Date(now),
      createdAt: new Date(now),
      lastUsedAt: new Date(now),
      idleExpiresAt: new Date(now + idleMs),
      expiresAt: new Date(now + absoluteMs),
    }
    await sessions.create(session)
    await endSurplus(session.userId)
    return { ...(await issue(session, null)), binding }
  }

  async function endSurplus(userId: Types.ObjectId): Promise<void> {
    const surplus = await sessions.find({ userId }, { _id: 1 }).sort({ lastUsedAt: -1 }).skip(maxPerUser).lean()
    for (const { _id } of surplus) await ending.end(userId.toHexString(), _id.toHexString())
  }

  /**
   * Notes that the password was given again, and goes on with new tokens; access tokens of before are void at once (ASVS 5, 7.2.4).
   * The refresh token of before is exchanged like a used one: for ten seconds, for the same successor. @throws AppError `session_expired`
   */
  async function renew(userId: string, sessionId: string, origin: RequestOrigin): Promise<StartedSession> {
    const now = new Date(clock.now())
    const session = await sessions
      .findOneAndUpdate(
        { _id: new Types.ObjectId(sessionId), userId: new Types.ObjectId(userId) },
        { $inc: { generation: 1 }, $set: { authenticatedAt: now, lastUsedAt: now, ip: origin.ip } },
        { returnDocument: 'after' },
      )
      .lean<SessionDoc>()
    if (!session) throw expired()
    return issue(session, await findHead(session._id))
  }

  /** The session a refresh token was issued for, whether or not it is used up. For rate limits. */
  async function sessionIdOf(refreshToken: string): Promise<string | undefined> {
    const found = await refreshTokens
      .findOne({ _id: hashToken(refreshToken) }, { sessionId: 1 })
      .lean<RefreshTokenDoc>()
    return found?.sessionId.toHexString()
  }

  /**
   * Exchanges a refresh token. One that was used before ends the whole session, but for a retry within the grace: somebody else has
   * it, and nobody can tell who is who.
   * @throws AppError `session_expired`
   */
  async function refresh(
    refreshToken: string,
    binding: string | undefined,
    origin: RequestOrigin,
  ): Promise<StartedSession> {
    const now = clock.now()
    const hash = hashToken(refreshToken)
    const token = await refreshTokens.findOne({ _id: hash }).lean<RefreshTokenDoc>()
    if (!token) throw expired()
    const session = await sessions.findOne({ _id: token.sessionId, userId: token.userId }).lean<SessionDoc>()
    if (!session || !isAlive(session, now)) throw expired()
    if (session.bindingHash && (!binding || hashToken(binding) !== session.bindingHash)) throw expired()
    if (token.usedAt && !(await isWithinGrace(token, now))) {
      await ending.end(session.userId.toHexString(), session._id.toHexString())
      await onReuse({ userId: session.userId.toHexString(), sessionId: session._id.toHexString() }, origin)
      throw expired()
    }
    const user = await users.findOne({ _id: session.userId, isActive: true }, { _id: 1 }).lean()
    if (!user) throw expired()
    const started = await issue(session, hash)
    const { idleMs } = session.isRemembered ? lifetimes.remembered : lifetimes.session
    const { matchedCount } = await sessions.updateOne(
      { _id: session._id },
      { $set: { lastUsedAt: new Date(now), idleExpiresAt: new Date(now + idleMs), ip: origin.ip } },
    )
    if (matchedCount === 0) throw expired()
    return started
  }

  async function list(userId: string): Promise<SessionDoc[]> {
    const now = new Date(clock.now())
    return sessions
      .find({ userId: new Types.ObjectId(userId), idleExpiresAt: { $gt: now }, expiresAt: { $gt: now } })
      .sort({ lastUsedAt: -1 })
      .limit(200)
      .lean<SessionDoc[]>()
  }

  return {
    start,
    renew,
    refresh,
    sessionIdOf,
    authenticate: createAuthenticate({ connection, clock, tokens }),
    list,
    ...ending,
  }
}

export type Sessions = ReturnType<typeof createSessions>
