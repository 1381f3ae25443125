import type { ErrorBody, ErrorCode } from './errors.ts'

interface AppErrorOptions {
  /** One sentence per error, for forms. */
  details?: string[]
  /** The sentences of `details` that concern one field of the request, by field name. */
  fields?: Record<string, string[]>
  /** What the reader can do about it. */
  help?: string
  /** Seconds until the same call may succeed, after an account lock or a rate limit. */
  remainingSeconds?: number
  cause?: unknown
}

/**
 * An error with a sentence for people and a code for programs. Can be thrown anywhere; the outermost middleware of the server, the job
 * runner of the engine and the command line each present it in their own way.
 */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly details: string[] | undefined
  readonly fields: Record<string, string[]> | undefined
  readonly help: string | undefined
  readonly remainingSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details
    this.fields = options.fields
    this.help = options.help
    this.remainingSeconds = options.remainingSeconds
  }
}

/** Returns the body that the API responds with and that jobs store. */
export function toErrorBody(error: AppError, requestId?: string): ErrorBody {
  return {
    error: error.message,
    code: error.code,
    ...(error.details && { details: error.details }),
    ...(error.fields && { fields: error.fields }),
    ...(error.help && { help: error.help }),
    ...(error.remainingSeconds !== undefined && { remaining_seconds: error.remainingSeconds }),
    ...(requestId && { request_id: requestId }),
  }
}
