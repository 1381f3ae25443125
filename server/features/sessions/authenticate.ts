import { Types, type Connection } from 'mongoose'
import type { Clock } from '#data/clock.ts'
import { sessionModel, type SessionDoc } from '#data/sessions/session-model.ts'
import { userModel, type UserDoc } from '#data/users/user-model.ts'
import type { Principal } from '#server/http/context.ts'
import type { TokenAudience, Tokens } from './tokens.ts'

/** Reads access tokens. */
export function createAuthenticate({
  connection,
  clock,
  tokens,
}: {
  connection: Connection
  clock: Clock
  tokens: Tokens
}) {
  const sessions = sessionModel(connection)
  const users = userModel(connection)

  /** The user and session of an access token, fresh from the database; undefined when either is over. */
  return async function authenticate(token: string, audience: TokenAudience = 'api'): Promise<Principal | undefined> {
    const claims = tokens.read(audience, token)
    if (!claims?.sessionId) return undefined
    const [session, user] = await Promise.all([
      sessions
        .findOne({ _id: new Types.ObjectId(claims.sessionId), userId: new Types.ObjectId(claims.userId) })
        .lean<SessionDoc>(),
      users
        .findOne({ _id: new Types.ObjectId(claims.userId), isActive: true }, { passwordHash: 0, pendingTwoFactor: 0 })
        .lean<UserDoc>(),
    ])
    if (!session || !user || !isAlive(session, clock.now())) return undefined
    if ((session.generation ?? 0) !== claims.generation) return undefined
    return {
      session: { id: claims.sessionId, authenticatedAt: (session.authenticatedAt ?? session.createdAt).getTime() },
      user: {
        id: claims.userId,
        email: user.email,
        username: user.username,
        role: user.role,
        isVerified: user.isVerified,
        hasTwoFactor: user.twoFactor !== null,
        hasTwoFactorGrace: user.twoFactorGrace === 'running',
        mustChangePassword: user.mustChangePassword,
      },
    }
  }
}

export function isAlive(session: SessionDoc, now: number): boolean {
  return session.expiresAt.getTime() > now && session.idleExpiresAt.getTime() > now
}
