import { useSyncExternalStore } from 'react'
import { requestEarly } from '../shared/api/early-requests.ts'
import { readAccessToken } from '../shared/api/tokens.ts'
import { pageList } from './page-list.ts'
import { preloadLibrary, preloadShell } from './pages.ts'

const homePaths: ReadonlySet<string> = new Set(['/', pageList.dashboard.path])

const sessionRequests = ['/api/auth/profile', '/api/config']

/** The request of the library page without filters, spelled out because its schemas are not loaded yet. */
export const firstListRequest =
  '/api/library?states=&languages=&categories=&tags=&sort=created&order=desc&page=1&per_page=50'

const listeners = new Set<() => void>()
let isLoading = false

/** Fetches scripts and rows of home while the session is checked: one after the other they take twice as long. */
export function preloadHome(): void {
  if (readAccessToken() === undefined) return
  if (!homePaths.has(location.pathname)) {
    requestEarly(sessionRequests)
    preloadShell().catch(() => undefined)
    return
  }
  requestEarly(location.search ? sessionRequests : [...sessionRequests, firstListRequest])
  void loadScripts()
}

async function loadScripts(): Promise<void> {
  isLoading = true
  // Where one fails, the page itself loads it.
  await Promise.allSettled([preloadShell(), preloadLibrary()])
  isLoading = false
  for (const listener of listeners) listener()
}

/** Returns whether the scripts of home are still being preloaded. */
export function useIsHomeLoading(): boolean {
  return useSyncExternalStore(subscribe, () => isLoading)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
