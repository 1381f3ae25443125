import { ApiError } from '../api/api-error.ts'

/** Delays after consecutive failures; the last one is repeated. */
const delaysMs = [1_000, 2_000, 5_000, 10_000, 20_000]
/** No response, a busy server, or a proxy in front of a restarting one. */
const unreachableStatuses: readonly number[] = [0, 408, 502, 503, 504]
/** Another connection is sending the same upload, or too many calls were made. */
const busyStatuses: readonly number[] = [409, 423, 429]
/** A longer wait, such as that of an hourly limit, is not treated as a pause. */
const maxPauseSeconds = 60

interface RetryOptions {
  signal: AbortSignal
  /** Called with true when the server cannot be reached, and with false once it answers. */
  onPaused: (isPaused: boolean) => void
}

/** Retries calls of an upload while they fail for a temporary reason: immediately when the browser is back online, else after a delay. */
export function retryUntilSettled({ signal, onPaused }: RetryOptions) {
  let failures = 0

  function reset() {
    failures = 0
    onPaused(false)
  }

  return {
    /** Reports that the server is answering: the next failure is followed by the shortest delay. */
    reset,
    /** Throws the signal's reason, and errors that are not temporary. */
    async run<Result>(task: () => Promise<Result>): Promise<Result> {
      for (;;) {
        signal.throwIfAborted()
        try {
          const result = await task()
          reset()
          return result
        } catch (error) {
          if (!(error instanceof ApiError) || !isPassing(error)) throw error
          onPaused(unreachableStatuses.includes(error.status))
          await waitForChance(delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0, signal)
          failures += 1
        }
      }
    },
  }
}

function isPassing({ status, remainingSeconds = 0 }: ApiError): boolean {
  if (remainingSeconds > maxPauseSeconds) return false
  return unreachableStatuses.includes(status) || busyStatuses.includes(status)
}

/** Resolves after a delay, or when the browser is back online. Rejects with the signal's reason. */
function waitForChance(delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, delayMs)
  const onAbort = () => reject(signal.reason)
  window.addEventListener('online', () => resolve(), { once: true, signal })
  signal.addEventListener('abort', onAbort, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  })
}
