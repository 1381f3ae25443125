import { useSyncExternalStore } from 'react'
import { ApiError } from './api-error.ts'

/** A server, or a proxy in front of it, that does not say how long to wait. */
const defaultSeconds = 5

/** Until when the server takes no calls of this browser, by Date.now(); 0: it takes them. */
let endsAtMs = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/**
 * Sends a request once no pause is on, and again after each pause that the server asks for by 429. For reads, of which the server keeps
 * nothing. Rejects with every other error, or with an AbortError when `signal` aborts.
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

/** Returns until when calls wait because the server answered 429, by Date.now(); 0 where they do not. */
export function useRatePause(): number {
  return useSyncExternalStore(subscribe, () => endsAtMs)
}

function pause(seconds: number): void {
  const untilMs = Date.now() + Math.max(1, seconds) * 1000
  // Of several answers to calls sent together, the longest wait counts.
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
