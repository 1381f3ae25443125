import { ApiError } from './api-error.ts'

/** A server that is still busy after this many attempts is reported to the user. */
const maxAttempts = 8
/** Longer waits are left to the user to decide. */
const maxWaitSeconds = 30

/**
 * Retries a request while the server answers that it has no capacity yet (429 and 503), after as many seconds as it requests. For
 * downloads, which wait without the user. Rejects with the last error, or the reason of the signal.
 */
export async function retryWhileBusy<Result>(send: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      const seconds = secondsUntilRetry(error)
      if (seconds === undefined || attempt >= maxAttempts) throw error
      await wait(seconds * 1000, signal)
    }
  }
}

function secondsUntilRetry(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return undefined
  const { remainingSeconds: seconds } = error
  return seconds !== undefined && seconds <= maxWaitSeconds ? seconds : undefined
}

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(new DOMException('The download was stopped', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, delayMs)
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
  })
}
