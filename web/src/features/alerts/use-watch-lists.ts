import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WatchList, WatchListInput } from '#contract/alerts.ts'
import { alerts as endpoints } from '#contract/endpoints/alerts.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { toastError, toastInfo } from '../../shared/toast.tsx'

const queryKey = ['alerts', 'watch-lists']
const scanPollMs = 3_000

/** Returns the user's watch lists, with the progress of any running library scan. */
export function useWatchLists() {
  return useQuery({
    queryKey,
    queryFn: async () => (await call(endpoints.listWatchLists)).watch_lists,
    refetchInterval: ({ state }) => (state.data?.some(({ scan }) => scan?.state === 'running') ? scanPollMs : false),
  })
}

/** Stores a new watch list, or changes one. */
export function saveWatchList(id: string | undefined, body: WatchListInput): Promise<WatchList> {
  return id ? call(endpoints.changeWatchList, { params: { id }, body }) : call(endpoints.addWatchList, { body })
}

export function toInput({ name, categories, words, texts, threshold, tags, is_on }: WatchList): WatchListInput {
  return { name, categories, words, texts, threshold, tags, is_on }
}

/** Returns what can be done with a watch list. */
export function useWatchListActions() {
  const client = useQueryClient()
  const options = {
    networkMode: 'always' as const,
    onError: (error: Error) => toastError(messageOf(error, t('That did not work. Try again.'))),
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  }
  const toggle = useMutation({
    ...options,
    mutationFn: (list: WatchList) => saveWatchList(list.id, { ...toInput(list), is_on: !list.is_on }),
    onMutate: (list) => {
      client.setQueryData<WatchList[]>(queryKey, (lists) =>
        lists?.map((known) => (known.id === list.id ? { ...known, is_on: !list.is_on } : known)),
      )
    },
  })
  const remove = useMutation({
    ...options,
    mutationFn: ({ id }: WatchList) => call(endpoints.removeWatchList, { params: { id } }),
    onSuccess: (_, { name }) => toastInfo(t('{name} was deleted with its alerts.', { name: isolateName(name) })),
  })
  const scan = useMutation({
    ...options,
    mutationFn: ({ id }: WatchList) => call(endpoints.startScan, { params: { id } }),
  })
  const cancelScan = useMutation({
    ...options,
    mutationFn: ({ id }: WatchList) => call(endpoints.cancelScan, { params: { id } }),
  })
  return { toggle: toggle.mutate, remove: remove.mutate, scan: scan.mutate, cancelScan: cancelScan.mutate }
}
