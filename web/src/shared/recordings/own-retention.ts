import { useQuery } from '@tanstack/react-query'
import { retention } from '#contract/endpoints/retention.ts'
import { call } from '../api/client.ts'

/** Returns how long the user's own recordings are kept; undefined until known. */
export function useOwnRetention() {
  return useQuery({ queryKey: ['own-retention'], queryFn: () => call(retention.own), staleTime: Infinity }).data
}
