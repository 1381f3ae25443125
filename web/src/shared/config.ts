import { queryOptions, useQuery } from '@tanstack/react-query'
import { system } from '#contract/endpoints/system.ts'
import { call } from './api/client.ts'

const configQuery = queryOptions({ queryKey: ['config'], queryFn: () => call(system.config), staleTime: Infinity })

/** What the server says about itself before anyone signs in; undefined until it has said it. */
export function useServerConfig() {
  return useQuery(configQuery).data
}

/** Whether the server has yet to say it; false when it cannot be asked. */
export function useIsServerConfigPending(): boolean {
  return useQuery(configQuery).isPending
}
