import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Response } from '#contract/endpoint.ts'
import { signInAdmin } from '#contract/endpoints/sso.ts'
import { call } from '../../shared/api/client.ts'

const queryKey = ['sign-in-settings']

export type StoredSettings = Response<typeof signInAdmin.getSettings>

/** Returns the sign-in settings, and which of them are set by the environment. */
export function useSignInSettings() {
  return useQuery({ queryKey, queryFn: () => call(signInAdmin.getSettings) })
}

/** Returns a function that shows changed settings everywhere: the public configuration depends on them. */
export function useShowSettings(): (stored: StoredSettings) => Promise<void> {
  const client = useQueryClient()
  return async (stored) => {
    client.setQueryData(queryKey, stored)
    await client.invalidateQueries({ queryKey: ['config'] })
  }
}
