import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { expandDetails } from '#contract/compact-details.ts'
import { editing } from '#contract/endpoints/editing.ts'
import { call } from '../../../shared/api/client.ts'
import { compactForm } from '../../../shared/recordings/recordings.ts'

/** Nested under the key of the recording, since anything that changes it may change its versions. */
const versionsKey = (recordingId: string) => ['recording', recordingId, 'versions']

/** Returns the transcriptions of a recording, newest first. */
export function useVersions(recordingId: string) {
  return useQuery({
    queryKey: versionsKey(recordingId),
    queryFn: async () => (await call(editing.listVersions, { params: { id: recordingId } })).versions,
  })
}

/** Returns the lines of a version, with its edits and corrected speakers. */
export function useVersion(recordingId: string, transcriptionId: string) {
  return useQuery({
    queryKey: [...versionsKey(recordingId), transcriptionId],
    queryFn: () => call(editing.getVersion, { params: { id: recordingId, transcription_id: transcriptionId } }),
  })
}

/** Makes a version current. */
export function useRestoreVersion(recordingId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (transcriptionId: string) => {
      const params = { id: recordingId, transcription_id: transcriptionId }
      return expandDetails(await call(editing.restoreVersion, { params, query: compactForm }))
    },
    onSuccess: async (details) => {
      await client.cancelQueries({ queryKey: ['recording', recordingId], exact: true })
      client.setQueryData(['recording', recordingId], details)
      await client.invalidateQueries({ queryKey: versionsKey(recordingId), exact: true })
    },
  })
}
