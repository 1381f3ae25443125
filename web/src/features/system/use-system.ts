import { useQuery } from '@tanstack/react-query'
import { system } from '#contract/endpoints/system.ts'
import { call } from '../../shared/api/client.ts'

/** As often as engines record their heartbeat. */
const pollIntervalMs = 3_000

/** Polls the state of the system while the page is visible. */
export function useSystem() {
  return useQuery({ queryKey: ['system'], queryFn: () => call(system.status), refetchInterval: pollIntervalMs })
}
