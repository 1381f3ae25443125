import { endRatePause } from './rate-pause.ts'

let current = new AbortController()

/** Returns a signal that is aborted when the present user signs out or another one signs in, for work that must not outlive that. */
export function sessionSignal(): AbortSignal {
  return current.signal
}

/** Aborts what was begun for the user until now. */
export function abortSessionWork(): void {
  current.abort()
  endRatePause()
  current = new AbortController()
}
