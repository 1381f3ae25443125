import type { SignInSettings } from '#contract/sign-in-settings.ts'
import type { Clock } from '#data/clock.ts'
import type { SessionRecord, SessionRepository } from '#data/sessions/sessions.ts'
import type { RequestUserRecord } from '#data/users/users.ts'
import type { AuthUser, Principal } from '#server/http/context.ts'
import type { SignInSettingsService } from '../sign-in-settings/service.ts'
import { twoFactorDueAt } from '../sign-in-settings/two-factor-due.ts'
import { limitSession } from './lifetimes.ts'
import type { TokenAudience, Tokens } from './tokens.ts'

interface AuthenticateDeps {
  sessions: Pick<SessionRepository, 'findWithUser'>
  signInSettings: Pick<SignInSettingsService, 'current'>
  clock: Clock
  tokens: Pick<Tokens, 'read'>
}

/** Reads access tokens. */
export function createAuthenticate({ sessions, signInSettings, clock, tokens }: AuthenticateDeps) {
  /** Returns the user and session of an access token, as currently stored; undefined if either has ended. */
  return async function authenticate(token: string, audience: TokenAudience = 'api'): Promise<Principal | undefined> {
    const claims = tokens.read(audience, token)
    if (!claims?.sessionId) return undefined
    const { userId, sessionId } = claims
    const [{ session, user }, settings] = await Promise.all([
      sessions.findWithUser({ id: sessionId, ownerId: userId }),
      signInSettings.current(),
    ])
    if (!session || !user || !isAlive(limitSession(session, settings), clock.now())) return undefined
    if (session.generation !== claims.generation) return undefined
    const hasProvenSecondFactor = session.hasProvenSecondFactor === true
    return {
      session: {
        id: sessionId,
        authenticatedAt: session.authenticatedAt.getTime(),
        confirmedAt: (session.confirmedAt ?? session.createdAt).getTime(),
        hasEnteredPassword: session.hasEnteredPassword ?? !session.provider,
        hasProvenSecondFactor,
      },
      user: toAuthUser(user, { settings, now: clock.now(), hasProvenSecondFactor }),
    }
  }
}

interface RequestFacts {
  settings: SignInSettings
  now: number
  /** A property of the session; an API key has none. Default false. */
  hasProvenSecondFactor?: boolean
}

/** Returns the user of a request. */
export function toAuthUser(
  user: RequestUserRecord,
  { settings, now, hasProvenSecondFactor = false }: RequestFacts,
): AuthUser {
  const dueAt = twoFactorDueAt(user, settings)
  return {
    id: user.id,
    email: user.email,
    username: user.username,
    role: user.role,
    isVerified: user.isVerified,
    hasTwoFactor: user.twoFactor !== null || user.hasPasskey === true,
    isTwoFactorDue: !hasProvenSecondFactor && dueAt !== undefined && dueAt <= now,
    mustChangePassword: user.mustChangePassword,
    isLibraryClosed: (user.libraryClosure ?? null) !== null,
  }
}

export function isAlive(session: Pick<SessionRecord, 'expiresAt' | 'idleExpiresAt'>, now: number): boolean {
  return session.expiresAt.getTime() > now && session.idleExpiresAt.getTime() > now
}
