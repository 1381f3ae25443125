import { queryOptions, useQuery } from '@tanstack/react-query'
import { config } from '#contract/endpoints/config.ts'
import { call } from './api/client.ts'

const configQuery = queryOptions({ queryKey: ['config'], queryFn: () => call(config), staleTime: Infinity })

/** Returns the server's public configuration; undefined until it is loaded. */
export function useServerConfig() {
  return useQuery(configQuery).data
}

/** Whether the configuration is still being loaded; false when the server cannot be reached. */
export function useIsServerConfigPending(): boolean {
  return useQuery(configQuery).isPending
}
