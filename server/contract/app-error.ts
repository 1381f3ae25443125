import type { ErrorCode } from './errors.ts'

interface AppErrorOptions {
  /** One sentence per error, for forms. */
  details?: string[]
  /** The sentences of `details` that are about one field of the request, by its name. */
  fields?: Record<string, string[]>
  /** What the reader can do about it. */
  help?: string
  /** Seconds until the same call may succeed: account lock, rate limit. */
  remainingSeconds?: number
  cause?: unknown
}

/**
 * A failure with a sentence for a person and a code for programs. Thrown anywhere; the outermost middleware of the server, the
 * job runner of the engine and the command line each turn it into their kind of answer.
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
