import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import type { Logger } from 'pino'
import type { Role } from '#contract/entities/user.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import type { ApiKeyScope } from '#contract/entities/api-key.ts'
import type { InterfaceLanguageCode } from '#contract/texts/interface-languages.ts'
import type { HeavyReads } from '#server/security/heavy-reads.ts'

/** The signed-in user, read from the database on each request. */
export interface AuthUser {
  id: string
  email: string
  username: string
  role: Role
  isVerified: boolean
  hasTwoFactor: boolean
  /** Whether the sign-in settings already require a second factor of the user, and the session's provider does not replace it. */
  isTwoFactorDue: boolean
  mustChangePassword: boolean
  /** Whether an administrative reset closed the library and it has not been opened since. */
  isLibraryClosed: boolean
}

export interface AuthSession {
  id: string
  /** When the password was last verified in this session, in milliseconds since 1970. */
  authenticatedAt: number
  /** When every factor that the account had was last proven in this session, in milliseconds since 1970. */
  confirmedAt: number
  /** Whether the password was entered in this session, which may not be the case if a provider or a passkey began it. */
  hasEnteredPassword: boolean
  /** Whether the provider vouched for a second factor when the session began. */
  hasProvenSecondFactor?: boolean
}

export interface Principal {
  user: AuthUser
  session: AuthSession
  /** Set when a program calls with an API key of the user. */
  apiKeyScope?: ApiKeyScope
}

/** The origin of a request, for the audit trail and the rate limits. */
export interface RequestOrigin {
  ip: string
  userAgent: string
  requestId: string
  /** The language chosen in this browser; missing if none was chosen, and for programs. */
  language?: InterfaceLanguageCode
}

/** The functions of features that `route()` needs; provided by app.ts, because this folder does not import features. */
export interface Guards {
  /** Returns the owner of an access token, API key or audio cookie, or undefined if the token is invalid or has expired. */
  authenticate(token: string, audience: 'api' | 'audio', origin: RequestOrigin): Promise<Principal | undefined>
  /** Counts a call against the general limit; throws `rate_limited`. */
  countCall(key: string): void
  /** Throws if the gate does not let this user use this endpoint. */
  enforceGate(user: AuthUser, spec: EndpointSpec): void
  /** Throws `password_confirmation_required` unless every factor was confirmed in the session within the last five minutes. */
  requireConfirmation(session: AuthSession): void
  /** Admits a heavy read until it is released; throws `rate_limited` or `unavailable` if there are too many. */
  admitHeavyRead: HeavyReads['admit']
  /** Records in the audit trail that a call was denied for lack of a role. */
  recordDenial(user: AuthUser, spec: EndpointSpec, origin: RequestOrigin): Promise<void>
}

export interface RequestState {
  origin: RequestOrigin
  log: Logger
  guards: Guards
  /** Set by `route()` after authentication; the request log names the user by id. */
  principal?: Principal
  /** Path template of the matched endpoint, for the request log. */
  endpoint?: string
}

export type AppRouter = Router<RequestState>
export type AppContext = RouterContext<RequestState>
