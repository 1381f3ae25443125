import type { z } from 'zod'
import type { Session, User } from '#contract/entities/user.ts'
import type { SessionDoc } from '#data/sessions/session-model.ts'
import type { StartedSession } from '../sessions/issue.ts'
import type { UserDoc } from '#data/users/user-model.ts'

/** A user as the API shows one: no hash, no secret. */
export function presentUser(user: UserDoc): User {
  return {
    id: user._id.toHexString(),
    first_name: user.firstName,
    last_name: user.lastName,
    username: user.username,
    email: user.email,
    role: user.role,
    is_active: user.isActive,
    is_verified: user.isVerified,
    two_factor_enabled: user.twoFactor !== null,
    two_factor_grace: user.twoFactorGrace === 'running',
    must_change_password: user.mustChangePassword,
    created_at: user.createdAt.toISOString(),
    last_login: user.lastLoginAt?.toISOString() ?? null,
  }
}

/** The tokens of a session as sign-in and whatever renews them answer with. */
export function presentTokens({ accessToken, refreshToken }: StartedSession) {
  return { access_token: accessToken, refresh_token: refreshToken }
}

export function presentSession(session: SessionDoc, currentId: string | undefined): z.infer<typeof Session> {
  const id = session._id.toHexString()
  const end = Math.min(session.expiresAt.getTime(), session.idleExpiresAt.getTime())
  return {
    id,
    ip_address: session.ip,
    user_agent: session.userAgent,
    created_at: session.createdAt.toISOString(),
    last_used: session.lastUsedAt.toISOString(),
    expires_at: new Date(end).toISOString(),
    current: id === currentId,
  }
}
