import { useQuery, useQueryClient } from '@tanstack/react-query'
import { passkeys } from '#contract/endpoints/passkeys.ts'
import { call } from '../../shared/api/client.ts'
import { useSessionActions } from '../../shared/session/session.ts'

const queryKey = ['passkeys']

export function usePasskeys() {
  return useQuery({ queryKey, queryFn: async () => (await call(passkeys.list)).passkeys })
}

/** Returns a function that reloads everything affected by adding, changing or removing a passkey, which also ends other sessions. */
export function useRefreshPasskeys() {
  const client = useQueryClient()
  const session = useSessionActions()
  return async function refresh() {
    await Promise.all([
      client.invalidateQueries({ queryKey }),
      client.invalidateQueries({ queryKey: ['sessions'] }),
      session.reload(),
    ])
  }
}
