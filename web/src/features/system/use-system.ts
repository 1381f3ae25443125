import { useQuery } from '@tanstack/react-query'
import { system } from '#contract/endpoints/system.ts'
import { call } from '../../shared/api/client.ts'

/** Engines give a sign of life this often. */
const everyMs = 3_000

/** How the system is, asked again every few seconds while the page is looked at. */
export function useSystem() {
  return useQuery({ queryKey: ['system'], queryFn: () => call(system.status), refetchInterval: everyMs })
}
