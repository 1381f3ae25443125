import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call. `public` needs no session; `user` any signed-in user; `admin` admins and
 * super admins; `super_admin` only super admins (accounts specification, section 6).
 */
export type Access = 'public' | 'user' | 'admin' | 'super_admin'

/** The media type of a request or response that is not JSON. */
export type Transport = 'json' | 'multipart' | 'bytes' | 'audio' | 'events' | 'file'

/**
 * How an endpoint that reads or formats much takes turns between users (docs/decisions/heavy-reads.md): a call is one turn as a `whole`,
 * or its handler takes a turn for each of its `parts`, where it streams or also waits for something else.
 */
export type HeavyRead = 'whole' | 'parts'

export interface EndpointSpec {
  method: Method
  /** Path as @koa/router reads it, such as `/api/recordings/:id`. */
  path: string
  access: Access
  /** One line for the API page. */
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  response: z.ZodType
  /** Status of success; default 200. */
  status?: number
  /** Its own errors, besides those of every endpoint of its kind (see `commonErrors`). */
  errors: readonly ErrorCode[]
  /**
   * The maximum number of what calls add: one more is refused with `error`, also of calls at the same moment (docs/decisions/limits.md).
   * Each such endpoint is raced by `server/limit-races.api.test.ts`.
   */
  limit?: { max: number; error: ErrorCode }
  /** Default json. */
  transport?: Transport
  /** Reachable while the password must be changed or the gate asks for verification or two-factor. Default false. */
  isOpenBehindGate?: boolean
  /** Reachable for a user while the library of the account is closed: the account itself, and what opens the library. Default false. */
  isOpenWithoutLibrary?: boolean
  /** Whether an administrator may have to confirm password and second factor, depending on whose case it is. Default false. */
  mayNeedConfirmation?: boolean
  /** Honours `Prefer: respond-async` with 202 and a job id. Default false. */
  isLongWork?: boolean
  /** Users take turns, and calls beyond the bounds get 429 or 503 with Retry-After. Default: served at once. */
  heavy?: HeavyRead
}

/** Declares one endpoint: the server validates and enforces access by it; the web client and the API page derive from it. */
export function endpoint<const Spec extends EndpointSpec>(spec: Spec): Spec {
  return spec
}

export type Params<E extends EndpointSpec> = E extends { params: infer S extends z.ZodType } ? z.infer<S> : undefined
export type Query<E extends EndpointSpec> = E extends { query: infer S extends z.ZodType } ? z.infer<S> : undefined
export type QueryInput<E extends EndpointSpec> = E extends { query: infer S extends z.ZodType } ? z.input<S> : undefined
export type Body<E extends EndpointSpec> = E extends { body: infer S extends z.ZodType } ? z.infer<S> : undefined
export type BodyInput<E extends EndpointSpec> = E extends { body: infer S extends z.ZodType } ? z.input<S> : undefined
export type Response<E extends EndpointSpec> = z.infer<E['response']>

/** The paths of what administrators read: mails, whose links and codes let anyone who has them into an account. */
const confirmedRead = /^\/api\/auth\/super-admin\/outbox\/:id$/
/** The paths of what administrators write: everything about accounts, signing in and mails, except test mails. Models have another path. */
const confirmedWrite = /^\/api\/auth\/(super-)?admin\/(?!test-mail$)/

/**
 * Returns whether administrators must have confirmed password and second factor within five minutes
 * (docs/decisions/step-up-for-administration.md). By the path, so that no endpoint can leave it out.
 */
export function needsConfirmation({ method, path }: Pick<EndpointSpec, 'method' | 'path'>): boolean {
  return (method === 'GET' ? confirmedRead : confirmedWrite).test(path)
}

/** Returns whether an endpoint is refused while the library of the caller's account is closed: every one for users that does not say otherwise. */
export function needsOpenLibrary({ access, isOpenWithoutLibrary }: EndpointSpec): boolean {
  return access === 'user' && !isOpenWithoutLibrary
}

/** Returns the errors that any endpoint of this kind can respond with, besides its own. */
export function commonErrors(spec: EndpointSpec): ErrorCode[] {
  const codes: ErrorCode[] = ['rate_limited', 'internal', 'unavailable']
  if (spec.params ?? spec.query ?? spec.body) codes.push('invalid_input')
  if (spec.body) codes.push('unsupported_encoding')
  if (spec.body || spec.transport === 'multipart' || spec.transport === 'bytes') codes.push('request_timeout')
  if (spec.access === 'public') return codes
  codes.push('session_missing', 'session_expired', 'forbidden')
  if (!spec.isOpenBehindGate) codes.push('password_change_required', 'verification_required', 'two_factor_required')
  if (needsOpenLibrary(spec)) codes.push('library_closed')
  if (needsConfirmation(spec) || spec.mayNeedConfirmation) codes.push('password_confirmation_required')
  return codes
}
