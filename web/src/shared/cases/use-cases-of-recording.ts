import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { cases } from '#contract/endpoints/cases.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/client.ts'

/** Loss of access is noticed within this time: no event reports it. */
const checkAfterMs = 10_000

/**
 * Returns the cases of a recording that the user can see; undefined until they are loaded. Someone else's recording is reloaded when its
 * cases no longer grant the same access.
 */
export function useCasesOfRecording({ id, access }: Pick<RecordingDetails, 'id' | 'access'>) {
  const client = useQueryClient()
  const isShared = access !== 'owner'
  const { data, error } = useQuery({
    queryKey: ['cases-of-recording', id],
    queryFn: async () => (await call(cases.ofRecording, { params: { id } })).cases,
    refetchInterval: isShared ? checkAfterMs : false,
    retry: false,
  })
  const isLost = error instanceof ApiError && error.code === 'not_found'
  const allowed = data?.every(({ role }) => role === 'view') ? 'view' : 'edit'
  const isOutdated = isShared && (isLost || (data !== undefined && allowed !== access))
  useEffect(() => {
    if (isOutdated) void client.invalidateQueries({ queryKey: ['recording', id] })
  }, [client, id, isOutdated])
  return data
}
