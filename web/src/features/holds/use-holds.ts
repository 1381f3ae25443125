import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CaseDetails } from '#contract/cases.ts'
import { holds } from '#contract/endpoints/holds.ts'
import { call } from '../../shared/api/client.ts'
import { refreshListsNow } from '../../shared/events/refresh-lists.ts'

/** A recording or case that is or can be put on hold. */
export interface HoldSubject {
  of: 'recording' | 'case'
  id: string
  /** Empty for someone else's recording in the administration, which shows no names. */
  name: string
}

/** Returns what keeps a recording from being deleted. */
export function useRecordingHolds(id: string) {
  return useQuery({
    queryKey: ['holds', id],
    queryFn: () => call(holds.get, { params: { id } }),
    retry: false,
  })
}

/** Sets or lifts a hold. The caller shows errors. */
export function useChangeHold({ of, id }: HoldSubject) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ isSet, reason }: { isSet: boolean; reason: string }) => {
      const request = { params: { id }, body: { reason } }
      if (of === 'recording') return void (await call(isSet ? holds.set : holds.lift, request))
      const changed: CaseDetails = await call(isSet ? holds.setOfCase : holds.liftOfCase, request)
      client.setQueryData(['case', id], changed)
    },
    onSuccess: async () => {
      const keys = ['holds', 'recording', 'cases', 'case-recordings', 'admin']
      await Promise.all([refreshListsNow(client), ...keys.map((key) => client.invalidateQueries({ queryKey: [key] }))])
    },
  })
}
