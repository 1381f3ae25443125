import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../shared/api/api-error.ts'

/** Responses of the server are final: only silence and overload are worth a retry. */
function isWorthRetrying(failureCount: number, error: Error): boolean {
  if (failureCount >= 2) return false
  return error instanceof ApiError && (error.status === 0 || error.status === 503)
}

/** The cache of everything read from the server. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: isWorthRetrying, staleTime: 15_000, refetchOnWindowFocus: true },
      // One's own server may be reachable while the browser believes itself offline.
      // Passwords and codes are among the variables of mutations: they are forgotten with the form that sent them.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  })
}
