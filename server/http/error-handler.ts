import type { Context, Next } from 'koa'
import { AppError, toErrorBody } from '#contract/app-error.ts'
import { errorStatus } from '#contract/errors.ts'
import { isDatabaseUnavailable, isDatabaseDiskFailure } from '#data/database-errors.ts'
import type { RequestState } from './context.ts'
import { ClientDisconnectedError, hasDisconnected } from './disconnect-signal.ts'

const defaultRetrySeconds = 5

/** The outermost middleware: the only place that turns an error into a response. */
export async function handleErrors(ctx: Context & { state: RequestState }, next: Next): Promise<void> {
  try {
    await next()
  } catch (error) {
    // Nobody is waiting for the response any more, and work that ended for that reason is not a failure.
    if (error instanceof ClientDisconnectedError && hasDisconnected(ctx)) {
      ctx.respond = false
      return
    }
    if (ctx.headerSent || !ctx.writable) {
      ctx.state.log.warn({ err: error }, 'failed after the response began')
      ctx.res.destroy()
      return
    }
    respond(ctx, toAppError(error), error)
  }
}

function respond(ctx: Context & { state: RequestState }, error: AppError, cause: unknown) {
  const status = errorStatus[error.code]
  if (error.code === 'internal') ctx.state.log.error({ err: cause }, 'request failed')
  else if (status >= 500) ctx.state.log.warn({ code: error.code, err: cause }, 'request refused')
  const retrySeconds = error.remainingSeconds ?? (status === 503 ? defaultRetrySeconds : undefined)
  if (retrySeconds !== undefined) ctx.set('Retry-After', String(retrySeconds))
  ctx.status = status
  ctx.body = toErrorBody(error, ctx.state.origin.requestId)
}

/** Returns any thrown value as an AppError; an unexpected one becomes `internal`, which reveals nothing about its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseUnavailable(error)) {
    return new AppError('unavailable', 'The database cannot be reached. Please try again in a few seconds.', {
      cause: error,
    })
  }
  if (isDatabaseDiskFailure(error)) {
    return new AppError('unavailable', 'Nothing can be saved: the server’s disk is full or cannot be written.', {
      help: 'Tell your administrator.',
      cause: error,
    })
  }
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  if (status === 413) return new AppError('upload_too_large', 'The request is too large.', { cause: error })
  if (status === 405 || status === 501)
    return new AppError('method_not_allowed', 'This address does not support that method.')
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('invalid_input', 'The request could not be read.', { cause: error })
  }
  return new AppError('internal', 'Something went wrong on the server. Please try again later.', { cause: error })
}
