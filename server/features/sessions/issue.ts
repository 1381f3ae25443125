import type { Clock } from '#data/clock.ts'
import type { RefreshTokenRecord, RefreshTokenRepository } from '#data/sessions/refresh-tokens.ts'
import type { SessionRecord } from '#data/sessions/sessions.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import type { Tokens } from './tokens.ts'

const accessLifetimeMs = 10 * 60_000
/** A used refresh token is accepted again for this long, for two tabs that woke up together or a response that was lost. */
const graceMs = 10_000

export interface StartedSession {
  userId: string
  sessionId: string
  /** See SessionDocument. */
  generation: number
  accessToken: string
  refreshToken: string
  /** New value of the browser-binding cookie; set only at sign-in. */
  binding?: string | undefined
  isRemembered: boolean
  /** Milliseconds until the absolute end of the session. */
  remainingMs: number
}

interface IssuerDeps {
  refreshTokens: RefreshTokenRepository
  clock: Clock
  tokens: Tokens
}

/**
 * Issues the tokens of sessions. The refresh tokens of a session form one chain: each has one successor, derived from it with the server's
 * key, so that a retry gets the same successor and no second branch can start.
 */
export function createIssuer({ refreshTokens, clock, tokens }: IssuerDeps) {
  /**
   * Issues a pair of tokens; `parent` is the hash of the refresh token exchanged for it, null for the first pair. The successor is stored
   * before the parent is marked as used: after a crash between the two, the parent can still be exchanged for the same successor.
   */
  async function issue(session: SessionRecord, parent: string | null): Promise<StartedSession> {
    const refreshToken = parent === null ? randomToken() : tokens.successorOf(parent)
    await refreshTokens.insert({
      hash: hashToken(refreshToken),
      sessionId: session.id,
      ownerId: session.ownerId,
      parent,
      usedAt: null,
      expiresAt: session.expiresAt,
    })
    if (parent !== null) await refreshTokens.markUsed(parent, new Date(clock.now()))
    const claims = { userId: session.ownerId, sessionId: session.id, generation: session.generation }
    return {
      ...claims,
      accessToken: tokens.sign('api', claims, accessLifetimeMs),
      refreshToken,
      isRemembered: session.isRemembered,
      remainingMs: session.expiresAt.getTime() - clock.now(),
    }
  }

  /** Returns whether a used token may be exchanged once more: it was used moments ago, and its successor has not been used yet. */
  async function isWithinGrace(token: RefreshTokenRecord, now: number): Promise<boolean> {
    if (!token.usedAt || now - token.usedAt.getTime() > graceMs) return false
    return !(await refreshTokens.hasUsedSuccessor(token))
  }

  /** Returns the hash of the last token in a session's chain: unused, and not the parent of any other token. */
  async function findHead(sessionId: string): Promise<string | null> {
    const unused = await refreshTokens.listUnused(sessionId)
    const parents = new Set(unused.map(({ parent }) => parent))
    return unused.find(({ hash }) => !parents.has(hash))?.hash ?? null
  }

  return { issue, isWithinGrace, findHead }
}
