import {
  needsConfirmation,
  type BodyInput,
  type EndpointSpec,
  type Params,
  type QueryInput,
  type Response as ResponseOf,
} from '#contract/endpoint.ts'
import {
  isAborted,
  isConfirmationTooOld,
  networkError,
  readErrorResponse,
  sessionExpiredError,
  ApiError,
} from './api-error.ts'
import { takeEarlyResponse } from './early-requests.ts'
import { apiUrl, credentials } from './origin.ts'
import { sendWithinLimit } from './rate-pause.ts'
import { refreshTokens } from './refresh.ts'
import { retryWhileBusy } from './retry-busy.ts'
import { sessionSignal } from './session-signal.ts'
import { clearTokens, readAccessToken } from './tokens.ts'

type Part<Key extends string, Value> = undefined extends Value ? { [K in Key]?: Value } : { [K in Key]: Value }

export type CallOptions<E extends EndpointSpec> = Part<'params', Params<E>> &
  Part<'query', QueryInput<E>> &
  Part<'body', BodyInput<E>> & {
    headers?: Record<string, string>
    signal?: AbortSignal
    /** Completes the request even if the page is closed. For small bodies only: browsers allow 64 KiB at a time. Default false. */
    keepalive?: boolean
  }

type CallArguments<E extends EndpointSpec> = {} extends CallOptions<E> ? [options?: CallOptions<E>] : [CallOptions<E>]

/** What `send` reads of the options, whatever the endpoint. */
interface LooseOptions {
  params?: unknown
  query?: unknown
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  keepalive?: boolean
}

const expiredListeners = new Set<() => void>()

/** Calls `listener` when a refresh failed and both tokens were removed. Returns an unsubscribe function. */
export function onSessionExpired(listener: () => void): () => void {
  expiredListeners.add(listener)
  return () => expiredListeners.delete(listener)
}

const gateCodes: ReadonlySet<string> = new Set([
  'password_change_required',
  'verification_required',
  'two_factor_required',
  'library_closed',
])
const gateListeners = new Set<() => void>()

/** Calls `listener` when the server's gate kept the user out of a call. Returns an unsubscribe function. */
export function onGateClosed(listener: () => void): () => void {
  gateListeners.add(listener)
  return () => gateListeners.delete(listener)
}

/** Asks the user to confirm that it is them. Resolves with whether they did. */
type AskForConfirmation = () => Promise<boolean>
let askForConfirmation: AskForConfirmation | undefined
let asking: Promise<boolean> | undefined

/**
 * Sets the function that asks for a new confirmation when the last one is too old for a call, which is then repeated. Without it such calls
 * fail. Returns a function that unsets it.
 */
export function setConfirmation(ask: AskForConfirmation): () => void {
  askForConfirmation = ask
  return () => {
    if (askForConfirmation === ask) askForConfirmation = undefined
  }
}

/** Concurrent calls share one confirmation. */
function confirmOnce(): Promise<boolean> {
  asking ??= (askForConfirmation?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

/**
 * Makes one JSON call of the contract. A read waits while the server is rate limiting (see rate-pause.ts). Throws ApiError; status 0 when
 * no response came.
 */
export async function call<E extends EndpointSpec>(spec: E, ...[options]: CallArguments<E>): Promise<ResponseOf<E>> {
  const sendOnce = () => send(spec, options ?? {})
  const response = await (spec.method === 'GET' ? sendWithinLimit(sendOnce, options?.signal) : sendOnce())
  // The schema of `spec` is what parses, so its output is the endpoint's response.
  return spec.response.parse(await response.json()) as ResponseOf<E>
}

/**
 * Fetches a file of the contract as a blob; waits while the server is busy with others (see retryWhileBusy). Aborts when the session in
 * which it began ends. Throws ApiError, or an AbortError.
 */
export async function callForFile<E extends EndpointSpec>(spec: E, ...[options]: CallArguments<E>): Promise<Blob> {
  const signal = AbortSignal.any([sessionSignal(), ...(options?.signal ? [options.signal] : [])])
  const response = await retryWhileBusy(() => send(spec, { ...options, signal }), signal)
  return await response.blob()
}

/**
 * Sends a call with the bearer token; a 401 leads to one refresh and one retry (accounts specification, section 4). A call that needs a
 * fresher confirmation asks the user once and is retried once.
 */
export async function send(spec: EndpointSpec, options: LooseOptions): Promise<Response> {
  try {
    return await sendAuthenticated(spec, options)
  } catch (error) {
    const isAsked = needsConfirmation(spec) || spec.mayNeedConfirmation === true
    if (!isAsked || !isConfirmationTooOld(error) || !(await confirmOnce())) throw error
    return sendAuthenticated(spec, options)
  }
}

async function sendAuthenticated(spec: EndpointSpec, options: LooseOptions): Promise<Response> {
  const token = readAccessToken()
  const response = await fetchOnce(spec, options, token)
  if (response.ok) return response
  const error = await readErrorResponse(response)
  if (gateCodes.has(error.code ?? '')) for (const listener of gateListeners) listener()
  if (response.status !== 401 || !token || error.code === 'sign_in_failed') throw error
  await renewSession(token)
  const retried = await fetchOnce(spec, options, readAccessToken())
  if (retried.ok) return retried
  const retriedError = await readErrorResponse(retried)
  if (retried.status === 401) endSession()
  throw retriedError
}

/**
 * Refreshes the tokens after a 401 for `staleToken`. Throws ApiError: session expired (401), too many requests (429), or the network (0).
 */
export async function renewSession(staleToken: string): Promise<void> {
  const isRenewed = await refreshTokens(staleToken).catch((error: unknown) => {
    throw error instanceof ApiError ? error : networkError()
  })
  if (isRenewed) return
  endSession()
  throw sessionExpiredError()
}

function endSession() {
  clearTokens()
  for (const listener of expiredListeners) listener()
}

async function fetchOnce(spec: EndpointSpec, options: LooseOptions, token: string | undefined): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers }
  if (token) headers.Authorization = `Bearer ${token}`
  if (options.body !== undefined) headers['Content-Type'] = 'application/json'
  const path = fillPath(spec.path, options.params) + queryString(options.query)
  const early = spec.method === 'GET' ? await takeEarlyResponse(path, token) : undefined
  if (early) return early
  try {
    return await fetch(apiUrl(path), {
      method: spec.method,
      credentials,
      headers,
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      ...(options.signal && { signal: options.signal }),
      ...(options.keepalive && { keepalive: true }),
    })
  } catch (error) {
    if (isAborted(error)) throw error
    throw networkError()
  }
}

/** `/api/recordings/:id` with its parameters in place. */
export function fillPath(path: string, params: unknown): string {
  const values: Record<string, unknown> = { ...(typeof params === 'object' ? params : undefined) }
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

function queryString(query: unknown): string {
  if (typeof query !== 'object' || query === null) return ''
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `?${text}` : ''
}
