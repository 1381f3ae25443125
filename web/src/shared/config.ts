import { useQuery } from '@tanstack/react-query'
import { system } from '#contract/endpoints/system.ts'
import { call } from './api/client.ts'

/** What the server says about itself before anyone signs in; undefined until it has said it. */
export function useServerConfig() {
  return useQuery({ queryKey: ['config'], queryFn: () => call(system.config), staleTime: Infinity }).data
}
