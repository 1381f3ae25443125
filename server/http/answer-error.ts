import type { Context, Next } from 'koa'
import { AppError } from '#contract/app-error.ts'
import { errorStatus, type ErrorBody } from '#contract/errors.ts'
import { isDatabaseAway, isDatabaseDiskFailure } from '#data/database-errors.ts'
import type { RequestState } from './context.ts'

const defaultRetrySeconds = 5

/** The outermost middleware: the one place where a failure becomes an answer. */
export async function answerErrors(ctx: Context & { state: RequestState }, next: Next): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (ctx.headerSent || !ctx.writable) {
      ctx.state.log.warn({ err: error }, 'failed after the answer began')
      ctx.res.destroy()
      return
    }
    answer(ctx, toAppError(error), error)
  }
}

function answer(ctx: Context & { state: RequestState }, failure: AppError, original: unknown) {
  const status = errorStatus[failure.code]
  if (failure.code === 'internal') ctx.state.log.error({ err: original }, 'request failed')
  else if (status >= 500) ctx.state.log.warn({ code: failure.code, err: original }, 'request refused')
  const retrySeconds = failure.remainingSeconds ?? (status === 503 ? defaultRetrySeconds : undefined)
  if (retrySeconds !== undefined) ctx.set('Retry-After', String(retrySeconds))
  ctx.status = status
  ctx.body = toErrorBody(failure, ctx.state.origin.requestId)
}

/** A failure as the API shows one. */
export function toErrorBody(failure: AppError, requestId?: string): ErrorBody {
  return {
    error: failure.message,
    code: failure.code,
    ...(failure.details && { details: failure.details }),
    ...(failure.fields && { fields: failure.fields }),
    ...(failure.help && { help: failure.help }),
    ...(failure.remainingSeconds !== undefined && { remaining_seconds: failure.remainingSeconds }),
    ...(requestId && { request_id: requestId }),
  }
}

/** Any thrown value as an AppError; what nobody foresaw is `internal` and tells the caller nothing of its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseAway(error)) {
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
    return new AppError('method_not_allowed', 'This address does not answer that method.')
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new AppError('invalid_input', 'The request could not be read.', { cause: error })
  }
  return new AppError('internal', 'Something went wrong on the server. Please try again later.', { cause: error })
}
