const storageKey = 'sign_in_return'
/** A page left longer ago than a sign-in takes is not returned to. */
const maxAgeMs = 15 * 60_000
/** The sign-in pages, which are never returned to. */
const signInPaths: ReadonlySet<string> = new Set(['/login', '/signup', '/sso'])

/** Remembers the current address for when the user returns from a provider's sign-in page. Kept only in this tab. */
export function rememberReturnPath(): void {
  const { pathname, search } = window.location
  if (signInPaths.has(pathname)) return
  sessionStorage.setItem(storageKey, JSON.stringify([pathname + search, Date.now()]))
}

/** Returns the remembered address, only once; `/` if there is none or it is too old. */
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
