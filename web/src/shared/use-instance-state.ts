import { useQuery } from '@tanstack/react-query'
import { system } from '#contract/endpoints/system.ts'
import { call } from './api/client.ts'

const pollIntervalMs = 15_000
/** How long pages that only link to the System page rely on the known state. */
const knownForMs = 5 * 60_000

const stateQuery = { queryKey: ['system', 'state'], queryFn: () => call(system.state) }

/** Polls what needs attention, and the state of queue, disks and backups, while the page is visible. */
export function useInstanceState() {
  return useQuery({ ...stateQuery, refetchInterval: pollIntervalMs })
}

/** Like `useInstanceState`, but without polling: fetches the state only if none is known or it is five minutes old. */
export function useKnownInstanceState() {
  return useQuery({ ...stateQuery, staleTime: knownForMs, refetchOnWindowFocus: false })
}
