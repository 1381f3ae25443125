/** Names specified in accounts specification, section 3, "Tokens". */
const accessKey = 'access_token'
const refreshKey = 'refresh_token'

export interface TokenPair {
  access_token: string
  refresh_token: string
}

/** Returns the access token, or undefined if no one is signed in. */
export function readAccessToken(): string | undefined {
  return localStorage.getItem(accessKey) ?? undefined
}

/** Returns the refresh token, or undefined if no one is signed in. */
export function readRefreshToken(): string | undefined {
  return localStorage.getItem(refreshKey) ?? undefined
}

/** Stores a pair; every tab of the browser sees it. */
export function saveTokens(pair: TokenPair): void {
  localStorage.setItem(refreshKey, pair.refresh_token)
  localStorage.setItem(accessKey, pair.access_token)
}

/** Removes both tokens. */
export function clearTokens(): void {
  localStorage.removeItem(accessKey)
  localStorage.removeItem(refreshKey)
}

/** Calls `listener` when another tab signs in, signs out or refreshes. Returns an unsubscribe function. */
export function onTokensChangedElsewhere(listener: () => void): () => void {
  function onStorage(event: StorageEvent) {
    if (event.key === accessKey || event.key === null) listener()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
