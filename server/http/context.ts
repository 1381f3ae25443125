import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type { Logger } from 'pino'
import type { Role } from '#contract/entities/user.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'

/** The signed-in user as requests see one: fresh from the database at each request. */
export interface AuthUser {
  id: string
  email: string
  username: string
  role: Role
  isVerified: boolean
  hasTwoFactor: boolean
  /** May work without the second factor that the server asks for. */
  hasTwoFactorGrace: boolean
  mustChangePassword: boolean
}

export interface AuthSession {
  id: string
  /** When the password was last given in it, in milliseconds. */
  authenticatedAt: number
}

export interface Principal {
  user: AuthUser
  session: AuthSession
}

/** Who asks, for the audit trail and the rate limits. */
export interface RequestOrigin {
  ip: string
  userAgent: string
  requestId: string
}

/** What routes need from features; handed in by app.ts, because http imports no feature. */
export interface Guards {
  /** The user of an access token (or of the audio cookie's token), or undefined when the token or its session is over. */
  authenticate(token: string, audience: 'api' | 'audio'): Promise<Principal | undefined>
  /** Counts a call against the general limit; throws `rate_limited`. */
  countCall(key: string): void
  /** Throws when the gate keeps this user out of this endpoint. */
  admit(user: AuthUser, spec: EndpointSpec): void
  /** Notes in the audit trail that a role was missing. */
  recordDenial(user: AuthUser, spec: EndpointSpec, origin: RequestOrigin): Promise<void>
}

export interface RequestState {
  origin: RequestOrigin
  log: Logger
  guards: Guards
  /** Set by `route()` once the caller is known; the request log names the user by id. */
  principal?: Principal
  /** Path template of the matched endpoint, for the request log. */
  endpoint?: string
}

export type AppRouter = Router<RequestState>
export type AppContext = RouterContext<RequestState>
