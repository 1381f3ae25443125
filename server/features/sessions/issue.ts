import type { Connection, Types } from 'mongoose'
import { refreshTokenModel, type RefreshTokenDoc } from '#data/sessions/refresh-token-model.ts'
import { type SessionDoc } from '#data/sessions/session-model.ts'
import type { Clock } from '#data/clock.ts'
import { isDuplicateKey } from '#data/model.ts'
import { hashToken, randomToken, type Tokens } from './tokens.ts'

const accessLifetimeMs = 10 * 60_000
/** A used refresh token is taken once more so soon after: two tabs that woke together, or an answer that got lost. */
const graceMs = 10_000

export interface StartedSession {
  userId: string
  sessionId: string
  /** See SessionDoc. */
  generation: number
  accessToken: string
  refreshToken: string
  /** New value of the browser-binding cookie; only at sign-in. */
  binding?: string | undefined
  isRemembered: boolean
  /** Milliseconds until the session ends in any case. */
  remainingMs: number
}

/**
 * Issues the tokens of sessions. The refresh tokens of a session are one chain: each has one successor, derived from it with the
 * server's key, so that a retry gets the same one and no second branch can begin.
 */
export function createIssuer({ connection, clock, tokens }: { connection: Connection; clock: Clock; tokens: Tokens }) {
  const refreshTokens = refreshTokenModel(connection)

  /**
   * A new pair; `parent` is the hash of the refresh token it is exchanged for, null for the first. The successor is stored before
   * the parent is marked as used: a crash between the two leaves a parent that can be exchanged again for the same successor.
   */
  async function issue(session: SessionDoc, parent: string | null): Promise<StartedSession> {
    const refreshToken = parent === null ? randomToken() : tokens.successorOf(parent)
    await store({
      _id: hashToken(refreshToken),
      sessionId: session._id,
      userId: session.userId,
      parent,
      usedAt: null,
      expiresAt: session.expiresAt,
    })
    const used = { $set: { usedAt: new Date(clock.now()) } }
    if (parent !== null) await refreshTokens.updateOne({ _id: parent, usedAt: null }, used)
    const { generation = 0 } = session
    const claims = { userId: session.userId.toHexString(), sessionId: session._id.toHexString(), generation }
    return {
      ...claims,
      accessToken: tokens.sign('api', claims, accessLifetimeMs),
      refreshToken,
      isRemembered: session.isRemembered,
      remainingMs: session.expiresAt.getTime() - clock.now(),
    }
  }

  async function store(token: RefreshTokenDoc): Promise<void> {
    try {
      await refreshTokens.create(token)
    } catch (error) {
      if (!isDuplicateKey(error)) throw error // a retry: the successor is there already
    }
  }

  /** Grace is for the immediate predecessor alone: its successor has not been used yet. */
  async function isWithinGrace(token: RefreshTokenDoc, now: number): Promise<boolean> {
    if (!token.usedAt || now - token.usedAt.getTime() > graceMs) return false
    const usedChild = await refreshTokens.exists({
      sessionId: token.sessionId,
      parent: token._id,
      usedAt: { $ne: null },
    })
    return usedChild === null
  }

  /** The hash of the token at the end of a session's chain: unused, and not the parent of another. */
  async function findHead(sessionId: Types.ObjectId): Promise<string | null> {
    const unused = await refreshTokens.find({ sessionId, usedAt: null }).lean<RefreshTokenDoc[]>()
    const parents = new Set(unused.map(({ parent }) => parent))
    return unused.find(({ _id }) => !parents.has(_id))?._id ?? null
  }

  return { issue, isWithinGrace, findHead }
}
