import { useSyncExternalStore } from 'react'
import { onSessionExpired } from './client.ts'
import { onTokensChangedElsewhere, readAccessToken } from './tokens.ts'

/** Returns whether this browser has an access token: without one, nothing is saved on the server. */
export function useHasToken(): boolean {
  return useSyncExternalStore(subscribe, () => readAccessToken() !== undefined)
}

function subscribe(onChange: () => void): () => void {
  const stops = [onSessionExpired(onChange), onTokensChangedElsewhere(onChange)]
  return () => {
    for (const stop of stops) stop()
  }
}
