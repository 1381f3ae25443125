const storageKey = 'sign_in_return'
/** What was left longer ago than a sign-in takes is not returned to. */
const maxAgeMs = 15 * 60_000
/** The sign-in pages themselves, to which no one returns. */
const signInPaths: ReadonlySet<string> = new Set(['/login', '/signup', '/sso'])

/** Remembers the address on screen, for the user who comes back from a provider's sign-in page. Kept in this tab only. */
export function rememberReturnPath(): void {
  const { pathname, search } = window.location
  if (signInPaths.has(pathname)) return
  sessionStorage.setItem(storageKey, JSON.stringify([pathname + search, Date.now()]))
}

/** Returns the remembered address once, `/` where there is none or it is too old. */
export function takeReturnPath(): string {
  const stored = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  const [path, savedAtMs] = parse(stored)
  const isPath = typeof path === 'string' && /^\/(?!\/)/.test(path)
  return isPath && Date.now() - Number(savedAtMs) < maxAgeMs ? path : '/'
}

function parse(stored: string | null): unknown[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
