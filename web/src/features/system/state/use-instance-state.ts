import { useQuery } from '@tanstack/react-query'
import { system } from '#contract/endpoints/system.ts'
import { call } from '../../../shared/api/client.ts'

const pollIntervalMs = 15_000

/** Polls what needs attention, and queue, disks and backups, while the page is visible. */
export function useInstanceState() {
  return useQuery({
    queryKey: ['system', 'state'],
    queryFn: () => call(system.state),
    refetchInterval: pollIntervalMs,
  })
}
