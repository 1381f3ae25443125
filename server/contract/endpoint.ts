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
 * How users take turns at an endpoint that reads or formats a lot of data (docs/decisions/heavy-reads.md): either a `whole` call is one
 * turn, or the handler takes a turn for each of its `parts`, because it streams or also waits for something else.
 */
export type HeavyRead = 'whole' | 'parts'

export interface EndpointSpec {
  method: Method
  /** A path in the syntax of @koa/router, such as `/api/recordings/:id`. */
  path: string
  access: Access
  /** One line for the API page. */
  summary: string
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  response: z.ZodType
  /** The status on success; default 200. */
  status?: number
  /** Its own errors, besides those of every endpoint of its kind (see `commonErrors`). */
  errors: readonly ErrorCode[]
  /**
   * The maximum number of items that calls can add: any further one is refused with `error`, even among concurrent calls
   * (docs/decisions/limits.md). `server/limit-races.api.test.ts` tests each such endpoint for races.
   */
  limit?: { max: number; error: ErrorCode }
  /** Default json. */
  transport?: Transport
  /** Reachable while the password must be changed or the gate asks for verification or two-factor. Default false. */
  isOpenBehindGate?: boolean
  /** Reachable while the user's library is closed: the account itself, and what reopens the library. Default false. */
  isOpenWithoutLibrary?: boolean
  /** Whether an administrator may have to confirm password and second factor, depending on whose case it is. Default false. */
  mayNeedConfirmation?: boolean
  /** Honours `Prefer: respond-async` with 202 and a job id. Default false. */
  isLongWork?: boolean
  /** Users take turns, and calls beyond the limits get 429 or 503 with Retry-After. By default, calls are served at once. */
  heavy?: HeavyRead
}

/** Declares one endpoint. The server validates calls and enforces access by it; the web client and the API page are derived from it. */
export function endpoint<const Spec extends EndpointSpec>(spec: Spec): Spec {
  return spec
}

export type Params<E extends EndpointSpec> = E extends { params: infer S extends z.ZodType } ? z.infer<S> : undefined
export type Query<E extends EndpointSpec> = E extends { query: infer S extends z.ZodType } ? z.infer<S> : undefined
export type QueryInput<E extends EndpointSpec> = E extends { query: infer S extends z.ZodType } ? z.input<S> : undefined
export type Body<E extends EndpointSpec> = E extends { body: infer S extends z.ZodType } ? z.infer<S> : undefined
export type BodyInput<E extends EndpointSpec> = E extends { body: infer S extends z.ZodType } ? z.input<S> : undefined
export type Response<E extends EndpointSpec> = z.infer<E['response']>

/** Paths of reads that need confirmation: mails, whose links and codes let anyone who has them into an account. */
const confirmedRead = /^\/api\/auth\/super-admin\/outbox\/:id$/
/** Paths of writes that need confirmation: all of accounts, sign-in and mails, except test mails. Models have a different path. */
const confirmedWrite = /^\/api\/auth\/(super-)?admin\/(?!test-mail$)/

/**
 * Returns whether administrators must have confirmed their password and second factor within the last five minutes
 * (docs/decisions/step-up-for-administration.md). Decided by path, so that no endpoint can omit it.
 */
export function needsConfirmation({ method, path }: Pick<EndpointSpec, 'method' | 'path'>): boolean {
  return (method === 'GET' ? confirmedRead : confirmedWrite).test(path)
}

/** Returns whether an endpoint is refused while the caller's library is closed: all endpoints for users unless declared otherwise. */
export function needsOpenLibrary({ access, isOpenWithoutLibrary }: EndpointSpec): boolean {
  return access === 'user' && !isOpenWithoutLibrary
}

/** Returns the errors that any endpoint of this kind can respond with, in addition to those it declares. */
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
