import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { expandDetails } from '#contract/compact-details.ts'
import { recordings } from '#contract/endpoints/recordings.ts'
import { call } from '../api/client.ts'

/** Returns the user's recordings, newest first. */
export function useRecordings(query: { page: number; per_page: number; search: string }) {
  return useQuery({
    queryKey: ['recordings', query],
    queryFn: () => call(recordings.list, { query }),
    placeholderData: keepPreviousData,
  })
}

/** Requests details in the form that `expandDetails` expects. */
export const compactForm = { compact: 'true' }

/** Returns a recording with everything derived from it. Dropped from the cache with its page: an hour-long call takes megabytes. */
export function useRecording(id: string) {
  return useQuery({
    gcTime: 0,
    queryKey: ['recording', id],
    queryFn: async () => expandDetails(await call(recordings.get, { params: { id }, query: compactForm })),
  })
}

/** Returns the number of the user's files, their seconds and their languages. */
export function useStats() {
  return useQuery({ queryKey: ['stats'], queryFn: () => call(recordings.stats) })
}

/** Renames a recording. */
export function useRenameRecording() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(recordings.update, { params: { id }, body: { name } }),
    onSuccess: (_, { id }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['recording', id] }),
        client.invalidateQueries({ queryKey: ['recordings'] }),
      ]),
  })
}
