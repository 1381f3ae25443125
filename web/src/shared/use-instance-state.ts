import { useQuery } from '@tanstack/react-query'
import { system } from '#contract/endpoints/system.ts'
import { call } from './api/client.ts'

const pollIntervalMs = 15_000
/** How long pages that only point to the page System go by what they know. */
const knownForMs = 5 * 60_000

const stateQuery = { queryKey: ['system', 'state'], queryFn: () => call(system.state) }

/** Polls what needs attention, and queue, disks and backups, while the page is visible. */
export function useInstanceState() {
  return useQuery({ ...stateQuery, refetchInterval: pollIntervalMs })
}

/** As `useInstanceState`, without polling: asks where nothing is known, or what is known is five minutes old. */
export function useKnownInstanceState() {
  return useQuery({ ...stateQuery, staleTime: knownForMs, refetchOnWindowFocus: false })
}
