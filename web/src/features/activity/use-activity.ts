import { useInfiniteQuery } from '@tanstack/react-query'
import { activity } from '#contract/endpoints/activity.ts'
import { call } from '../../shared/api/client.ts'

/** Entries per request. */
const pageSize = 50

/** Returns what was done with a recording, newest first, a page at a time. */
export function useActivity(id: string) {
  return useInfiniteQuery({
    queryKey: ['activity', id],
    queryFn: ({ pageParam }) =>
      call(activity.ofRecording, { params: { id }, query: { page: pageParam, per_page: pageSize } }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    retry: false,
  })
}
