import type { z } from 'zod'
import type { Session } from '#contract/entities/user.ts'
import type { SessionRecord } from '#data/sessions/sessions.ts'
import type { StartedSession } from './issue.ts'

/** Returns the tokens of a session as the sign-in and refresh endpoints send them. */
export function presentTokens({ accessToken, refreshToken }: StartedSession) {
  return { access_token: accessToken, refresh_token: refreshToken }
}

/** Returns a session as the API shows one; `currentId` is the caller's own. */
export function presentSession(session: SessionRecord, currentId: string | undefined): z.infer<typeof Session> {
  const end = Math.min(session.expiresAt.getTime(), session.idleExpiresAt.getTime())
  return {
    id: session.id,
    ip_address: session.ip,
    user_agent: session.userAgent,
    created_at: session.createdAt.toISOString(),
    last_used: session.lastUsedAt.toISOString(),
    expires_at: new Date(end).toISOString(),
    current: session.id === currentId,
  }
}
