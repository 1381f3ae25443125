import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Body } from '#contract/endpoint.ts'
import { library } from '#contract/endpoints/library.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { refreshListsNow } from '../../shared/events/refresh-lists.ts'
import { toastFailure } from '../../shared/toast-failure.ts'
import { toastSuccess } from '../../shared/toast.tsx'

const perPage = 50

/** Returns a page of the user's trash. Its query key makes it follow recordings deleted and restored elsewhere. */
export function useTrash(page: number) {
  return useQuery({
    queryKey: ['recordings', 'trash', page],
    queryFn: () => call(library.listTrash, { query: { page, per_page: perPage } }),
    placeholderData: keepPreviousData,
  })
}

/** Restores recordings. */
export function useRestore() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: string[]) => call(library.restore, { body: { ids } }),
    onSuccess: ({ restored }) =>
      toastSuccess(t('{count, plural, =1 {Recording restored} other {# recordings restored}}', { count: restored })),
    onError: toastFailure,
    onSettled: () => refreshListsNow(client),
  })
}

/** Deletes recordings for good. */
export function useEmptyTrash() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Body<typeof library.emptyTrash>) => call(library.emptyTrash, { body }),
    onSuccess: ({ deleted }) =>
      toastSuccess(
        t('{count, plural, =1 {Recording deleted for good} other {# recordings deleted for good}}', { count: deleted }),
      ),
    onError: toastFailure,
    onSettled: () => refreshListsNow(client),
  })
}
