import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../shared/api/api-error.ts'

/** The server's responses are final: only a missing response or an overload is worth a retry. */
function isWorthRetrying(failureCount: number, error: Error): boolean {
  if (failureCount >= 2) return false
  return error instanceof ApiError && (error.status === 0 || error.status === 503)
}

/** Creates the cache of everything read from the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: isWorthRetrying, staleTime: 15_000, refetchOnWindowFocus: true },
      // A local server may be reachable while the browser considers itself offline.
      // The variables of mutations include passwords and codes: they are dropped along with the form that sent them.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  })
}
