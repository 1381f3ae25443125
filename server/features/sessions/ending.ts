import { EventEmitter } from 'node:events'
import { Types, type Connection } from 'mongoose'
import { refreshTokenModel, type RefreshTokenDoc } from '#data/sessions/refresh-token-model.ts'
import { sessionModel } from '#data/sessions/session-model.ts'
import { hashToken } from './tokens.ts'

/** `ended` carries the user and, where one session ended, its id; event streams close on it. */
interface SessionEvents {
  ended: [{ userId: string; sessionId?: string; exceptSessionId?: string | undefined }]
}

/** The ways sessions end before their time. A session that ended is deleted, with its refresh tokens. */
export function createEnding(connection: Connection) {
  const sessions = sessionModel(connection)
  const refreshTokens = refreshTokenModel(connection)
  const events = new EventEmitter<SessionEvents>()
  events.setMaxListeners(0)

  /** Ends one session. Answers whether there was one. */
  async function end(userId: string, sessionId: string): Promise<boolean> {
    const filter = { userId: new Types.ObjectId(userId), _id: new Types.ObjectId(sessionId) }
    const { deletedCount } = await sessions.deleteOne(filter)
    await refreshTokens.deleteMany({ sessionId: filter._id, userId: filter.userId })
    events.emit('ended', { userId, sessionId })
    return deletedCount > 0
  }

  /** Ends all sessions of a user, or all but one. */
  async function endAll(userId: string, exceptSessionId?: string): Promise<void> {
    const owner = new Types.ObjectId(userId)
    const kept = exceptSessionId ? new Types.ObjectId(exceptSessionId) : undefined
    await sessions.deleteMany({ userId: owner, ...(kept && { _id: { $ne: kept } }) })
    await refreshTokens.deleteMany({ userId: owner, ...(kept && { sessionId: { $ne: kept } }) })
    events.emit('ended', { userId, exceptSessionId })
  }

  /** Ends the session a refresh token belongs to. Unknown tokens are no error: the caller is signed out either way. */
  async function endByRefreshToken(refreshToken: string): Promise<{ userId: string } | undefined> {
    const token = await refreshTokens.findOne({ _id: hashToken(refreshToken) }).lean<RefreshTokenDoc>()
    if (!token) return undefined
    const userId = token.userId.toHexString()
    await end(userId, token.sessionId.toHexString())
    return { userId }
  }

  return { end, endAll, endByRefreshToken, events }
}
