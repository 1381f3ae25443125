import { endRatePause } from './rate-pause.ts'

let current = new AbortController()

/** Returns a signal that is aborted when the current user signs out or another signs in, for work that must not outlive the session. */
export function sessionSignal(): AbortSignal {
  return current.signal
}

/** Aborts all work started for the current user. */
export function abortSessionWork(): void {
  current.abort()
  endRatePause()
  current = new AbortController()
}
