import { EventEmitter } from 'node:events'
import type { RefreshTokenRepository } from '#data/sessions/refresh-tokens.ts'
import type { SessionRecord, SessionRepository } from '#data/sessions/sessions.ts'
import { hashToken } from '#server/security/opaque-tokens.ts'

/** Without `sessionId`: all sessions of the user have ended except `exceptSessionId`. */
interface EndedSessions {
  userId: string
  sessionId?: string
  exceptSessionId?: string | undefined
}

interface EndingDeps {
  sessions: Pick<SessionRepository, 'find' | 'remove' | 'removeAll'>
  refreshTokens: Pick<RefreshTokenRepository, 'find' | 'removeBySession' | 'removeByOwner'>
}

/** The ways in which sessions end early. A session that has ended is deleted, together with its refresh tokens. */
export function createEnding({ sessions, refreshTokens }: EndingDeps) {
  const events = new EventEmitter<{ ended: [EndedSessions] }>()
  events.setMaxListeners(0)

  /** Ends one session. Returns whether it existed. */
  async function end(userId: string, sessionId: string): Promise<boolean> {
    const wasRemoved = await sessions.remove({ id: sessionId, ownerId: userId })
    await refreshTokens.removeBySession(sessionId, userId)
    events.emit('ended', { userId, sessionId })
    return wasRemoved
  }

  /** Ends all sessions of a user, or all but one. */
  async function endAll(userId: string, exceptSessionId?: string): Promise<void> {
    await sessions.removeAll(userId, { exceptId: exceptSessionId })
    await refreshTokens.removeByOwner(userId, { exceptSessionId })
    events.emit('ended', { userId, exceptSessionId })
  }

  /** Ends the session that a refresh token belongs to. Ignores unknown tokens: the caller is signed out either way. */
  async function endByRefreshToken(
    refreshToken: string,
  ): Promise<{ userId: string; provider: SessionRecord['provider'] } | undefined> {
    const token = await refreshTokens.find(hashToken(refreshToken))
    if (!token) return undefined
    const session = await sessions.find({ id: token.sessionId, ownerId: token.ownerId })
    await end(token.ownerId, token.sessionId)
    return { userId: token.ownerId, provider: session?.provider }
  }

  /** Calls back when this process ends the session. Returns an unsubscribe function. */
  function onEnded(userId: string, sessionId: string, listener: () => void): () => void {
    const onEvent = (ended: EndedSessions) => {
      if (ended.userId !== userId || ended.exceptSessionId === sessionId) return
      if (ended.sessionId === undefined || ended.sessionId === sessionId) listener()
    }
    events.on('ended', onEvent)
    return () => events.off('ended', onEvent)
  }

  return { end, endAll, endByRefreshToken, onEnded }
}
