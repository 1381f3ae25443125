import type { Connection } from 'mongoose'
import { refreshTokenModel, type RefreshTokenDoc, type SessionDoc } from '#data/accounts/session-models.ts'
import type { Clock } from '#data/clock.ts'
import { hashToken, randomToken, type Tokens } from './tokens.ts'

const accessLifetimeMs = 10 * 60_000
/** A used refresh token is taken once more so soon after: two tabs that woke together, or an answer that got lost. */
const graceMs = 10_000

export interface StartedSession {
  userId: string
  sessionId: string
  accessToken: string
  refreshToken: string
  /** New value of the browser-binding cookie; only at sign-in. */
  binding?: string | undefined
  isRemembered: boolean
  /** Milliseconds until the session ends in any case. */
  remainingMs: number
}

/** Issues the tokens of sessions, and knows the family of each refresh token. */
export function createIssuer({ connection, clock, tokens }: { connection: Connection; clock: Clock; tokens: Tokens }) {
  const refreshTokens = refreshTokenModel(connection)

  /** A new pair; `parent` is the hash of the refresh token it is exchanged for. */
  async function issue(session: SessionDoc, parent: string | null): Promise<StartedSession> {
    const refreshToken = randomToken()
    await refreshTokens.create({
      _id: hashToken(refreshToken),
      sessionId: session._id,
      userId: session.userId,
      parent,
      usedAt: null,
      expiresAt: session.expiresAt,
    })
    const claims = { userId: session.userId.toHexString(), sessionId: session._id.toHexString() }
    return {
      ...claims,
      accessToken: tokens.sign('api', claims, accessLifetimeMs),
      refreshToken,
      isRemembered: session.isRemembered,
      remainingMs: session.expiresAt.getTime() - clock.now(),
    }
  }

  /** Grace is for the immediate predecessor alone: none of the tokens it was exchanged for has been used yet. */
  async function isWithinGrace(token: RefreshTokenDoc, now: number): Promise<boolean> {
    if (!token.usedAt || now - token.usedAt.getTime() > graceMs) return false
    const usedChild = await refreshTokens.exists({
      sessionId: token.sessionId,
      parent: token._id,
      usedAt: { $ne: null },
    })
    return usedChild === null
  }

  return { issue, isWithinGrace }
}
