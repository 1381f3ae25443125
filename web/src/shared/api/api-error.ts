import type { ErrorCode } from '#contract/errors.ts'
import { t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'

interface ApiErrorOptions {
  status: number
  code?: ErrorCode | undefined
  details?: string[] | undefined
  fields?: Record<string, string[]> | undefined
  help?: string | undefined
  remainingSeconds?: number | undefined
  serverMessage?: string | undefined
  statusText?: string | undefined
}

/** A failed call (accounts specification, section 8). `status` is 0 when no response came. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly details: string[]
  /** The sentences of `details` that concern a single field of the request, by its name. */
  readonly fields: Record<string, string[]>
  readonly help: string | undefined
  readonly remainingSeconds: number | undefined
  /** The `message` field of the response, which a proxy may have written. */
  readonly serverMessage: string | undefined
  /** The text of the status line, such as `Bad Gateway`; empty if the protocol sends none. */
  readonly statusText: string

  constructor(message: string, options: ApiErrorOptions) {
    super(message)
    this.status = options.status
    this.code = options.code
    this.details = options.details ?? []
    this.fields = options.fields ?? {}
    this.help = options.help
    this.remainingSeconds = options.remainingSeconds
    this.serverMessage = options.serverMessage
    this.statusText = options.statusText ?? ''
  }
}

/** Creates the error for a call that got no response. */
export function networkError(): ApiError {
  return new ApiError(t('Network error occurred'), { status: 0 })
}

/** Creates the error for a session that could not be refreshed. */
export function sessionExpiredError(): ApiError {
  return new ApiError(t('Session expired'), { status: 401, code: 'session_expired' })
}

/** Parses an error response into the user's language; a body that is not ours still yields the status and `Request failed`. */
export function parseErrorBody(status: number, body: unknown, statusText = ''): ApiError {
  if (typeof body !== 'object' || body === null) return new ApiError('Request failed', { status, statusText })
  const record: Record<string, unknown> = { ...body }
  return new ApiError(
    typeof record.error === 'string' && record.error ? translateSentence(record.error) : 'Request failed',
    {
      status,
      statusText,
      serverMessage: typeof record.message === 'string' ? record.message : undefined,
      // Codes come from our own server; an unknown one matches no comparison and does no harm.
      code: typeof record.code === 'string' ? (record.code as ErrorCode) : undefined,
      details: toStrings(record.details),
      fields: toFields(record.fields),
      help: typeof record.help === 'string' ? translateSentence(record.help) : undefined,
      remainingSeconds: typeof record.remaining_seconds === 'number' ? record.remaining_seconds : undefined,
    },
  )
}

/** Reads an error response. A proxy says when to retry only in a header. */
export async function readErrorResponse(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const error = parseErrorBody(response.status, body, response.statusText)
  const seconds = Number(response.headers.get('Retry-After') ?? '')
  if (error.remainingSeconds !== undefined || !(seconds > 0)) return error
  return new ApiError(error.message, { ...error, remainingSeconds: seconds })
}

function toStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string').map(translateSentence) : []
}

function toFields(value: unknown): Record<string, string[]> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, messages]) => [name, toStrings(messages)]))
}

/** Returns whether the session has expired. The shell announces that, so screens need not. */
export function isSessionExpired(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code === 'session_expired'
}

/** Returns whether the call was aborted by this page, which need not be reported. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** Returns whether the call must be repeated after the user has confirmed their identity. */
export function isConfirmationTooOld(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'password_confirmation_required'
}

/** Returns the server's message, or `fallback` if there is none. */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || error.status === 0) return fallback
  return error.message && error.message !== 'Request failed' ? error.message : fallback
}

/** Returns the server's message with what the user can do about it, or `fallback` if there is none. */
export function messageWithHelp(error: unknown, fallback: string): string {
  const message = messageOf(error, fallback)
  const help = error instanceof ApiError ? error.help : undefined
  if (!help) return message
  return /[.!?]$/.test(message) ? `${message} ${help}` : `${message}. ${help}`
}
