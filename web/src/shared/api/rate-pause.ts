import { useSyncExternalStore } from 'react'
import { ApiError } from './api-error.ts'

/** The pause if the server, or a proxy in front of it, does not say how long to wait. */
const defaultSeconds = 5

/** Until when the server accepts no calls from this browser, by Date.now(); 0 if it accepts them. */
let endsAtMs = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/**
 * Sends a request once there is no pause, and again after each pause that the server requests with 429. Only for reads, which change
 * nothing on the server. Rejects with any other error, or with an AbortError when `signal` aborts.
 */
export async function sendWithinLimit<Result>(send: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    await waitForEnd(signal)
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      pause(error.remainingSeconds ?? defaultSeconds)
    }
  }
}

/** Ends the pause: it applied to the user who is no longer signed in. */
export function endRatePause(): void {
  clearTimeout(timer)
  endsAtMs = 0
  for (const listener of listeners) listener()
}

/** Returns until when calls wait because the server answered 429, by Date.now(); 0 if they do not wait. */
export function useRatePause(): number {
  return useSyncExternalStore(subscribe, () => endsAtMs)
}

function pause(seconds: number): void {
  const untilMs = Date.now() + Math.max(1, seconds) * 1000
  // If several calls sent together are answered, the longest wait counts.
  if (untilMs <= endsAtMs) return
  endsAtMs = untilMs
  clearTimeout(timer)
  timer = setTimeout(endRatePause, untilMs - Date.now())
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function waitForEnd(signal: AbortSignal | undefined): Promise<void> {
  if (endsAtMs === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const unsubscribe = subscribe(() => {
      if (endsAtMs === 0) leave(resolve)
    })
    const onAbort = () => leave(() => reject(new DOMException('The call was stopped', 'AbortError')))
    function leave(settle: () => void) {
      unsubscribe()
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}
