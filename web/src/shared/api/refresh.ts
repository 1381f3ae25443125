import { auth } from '#contract/endpoints/auth.ts'
import { readErrorResponse } from './api-error.ts'
import { apiUrl, credentials } from './origin.ts'
import { clearTokens, onTokensChangedElsewhere, readAccessToken, readRefreshToken, saveTokens } from './tokens.ts'

const lockName = 'awaz-refresh'
/** How long until the fallback lock of a crashed tab expires. */
const fallbackLockMs = 5000

let running: Promise<boolean> | undefined

/**
 * Gets a new pair of tokens, once for all callers in this tab and, using a lock, for all tabs: the server ends a session whose old
 * refresh token is used a second time. Returns whether there is now a usable access token. Throws if the server cannot be
 * reached or accepts no more calls, which is no reason to sign anyone out.
 */
export function refreshTokens(staleAccessToken: string | undefined): Promise<boolean> {
  running ??= underLock(() => exchange(staleAccessToken)).finally(() => {
    running = undefined
  })
  return running
}

async function exchange(staleAccessToken: string | undefined): Promise<boolean> {
  const current = readAccessToken()
  if (current && current !== staleAccessToken) return true
  const refreshToken = readRefreshToken()
  if (!refreshToken) return false
  const response = await fetch(apiUrl(auth.refresh.path), {
    method: auth.refresh.method,
    credentials,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh_token: refreshToken }),
  })
  if (response.status === 429) throw await readErrorResponse(response)
  if (response.status >= 500) throw new Error('The session could not be refreshed now')
  if (!response.ok) {
    // If another tab, or a password confirmation, has stored new tokens in the meantime, the rejection of the old one does not matter.
    if (readRefreshToken() !== refreshToken) return readAccessToken() !== undefined
    clearTokens()
    return false
  }
  const pair = auth.refresh.response.parse(await response.json())
  // A sign-out during the request wins.
  if (readRefreshToken() !== refreshToken) return readAccessToken() !== undefined
  saveTokens(pair)
  return true
}

/** Web Locks need a secure context; a plain-http intranet has none, so local storage serves as the lock there. */
async function underLock(work: () => Promise<boolean>): Promise<boolean> {
  const locks: LockManager | undefined = navigator.locks
  if (locks) return await locks.request(lockName, work)
  await waitForFallbackLock()
  localStorage.setItem(lockName, String(Date.now() + fallbackLockMs))
  try {
    return await work()
  } finally {
    localStorage.removeItem(lockName)
  }
}

function waitForFallbackLock(): Promise<void> {
  const until = Number(localStorage.getItem(lockName) ?? 0)
  const waitMs = until - Date.now()
  if (waitMs <= 0) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(finish, Math.min(waitMs, fallbackLockMs))
    const stop = onTokensChangedElsewhere(finish)
    function finish() {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}
