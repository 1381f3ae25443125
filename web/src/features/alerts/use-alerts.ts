import { useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Alert, AlertFilter, AlertSelection, AlertState } from '#contract/alerts.ts'
import { alerts as endpoints } from '#contract/endpoints/alerts.ts'
import type { Response } from '#contract/endpoint.ts'
import { t } from '#contract/texts/t.ts'
import { hideToast, toastUndo } from '../../shared/action-toast.tsx'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { toastError, toastInfo } from '../../shared/toast.tsx'

type AlertPage = Response<typeof endpoints.list>

/** Alerts per request. */
const pageSize = 50

/** Returns the alerts that match a filter, newest first, a page at a time. */
export function useAlerts(filter: AlertFilter) {
  return useInfiniteQuery({
    queryKey: ['alerts', 'list', filter],
    queryFn: ({ pageParam }) =>
      call(endpoints.list, { query: { ...filter, limit: pageSize, ...(pageParam && { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
  })
}

interface Marking {
  selection: AlertSelection
  state: AlertState
  /** How many alerts the change is expected to affect. */
  count: number
}

const doneTexts: Record<AlertState, (count: number) => string> = {
  new: (count) => t('Marked as new: {count, plural, one {# alert} other {# alerts}}', { count }),
  reviewed: (count) => t('Reviewed: {count, plural, one {# alert} other {# alerts}}', { count }),
  dismissed: (count) => t('Dismissed: {count, plural, one {# alert} other {# alerts}}', { count }),
}

/** Returns actions to mark alerts and undo the last marks. Marked alerts leave the list at once if its filter is for another state. */
export function useAlertActions(filter: AlertFilter) {
  const client = useQueryClient()
  const changeIds = useRef<string[]>([])
  const toastId = useRef<string>(undefined)
  const queryKey = ['alerts', 'list', filter]

  const mark = useMutation({
    networkMode: 'always',
    mutationFn: ({ selection, state }: Marking) => call(endpoints.setState, { body: { selection, state } }),
    onMutate: async ({ selection, state }) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData<InfiniteData<AlertPage>>(
        queryKey,
        (data) => data && applyMark(data, { filter, selection, state }),
      )
    },
    onSuccess: ({ change_id: changeId, changed }, { state }) => {
      changeIds.current.push(changeId)
      if (toastId.current) hideToast(toastId.current)
      toastId.current = toastUndo(doneTexts[state](changed), () => void undoLast())
    },
    onError: (error) => toastError(messageOf(error, t('The alerts could not be marked. Try again.'))),
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  })

  async function undoLast() {
    const changeId = changeIds.current.pop()
    if (changeId === undefined) return toastInfo(t('There is nothing to undo.'))
    if (toastId.current) hideToast(toastId.current)
    try {
      await call(endpoints.undo, { body: { change_id: changeId } })
    } catch (error) {
      toastError(messageOf(error, t('The marks could not be undone. Try again.')))
    }
    await client.invalidateQueries({ queryKey: ['alerts'] })
  }

  return {
    mark: (ids: string[], state: AlertState) => mark.mutate({ selection: { ids }, state, count: ids.length }),
    markAll: (state: AlertState, count: number) => mark.mutate({ selection: { filter }, state, count }),
    undoLast: () => void undoLast(),
  }
}

function applyMark(
  data: InfiniteData<AlertPage>,
  { filter, selection, state }: { filter: AlertFilter; selection: AlertSelection; state: AlertState },
): InfiniteData<AlertPage> {
  const ids = 'ids' in selection ? new Set(selection.ids) : undefined
  const isMarked = (alert: Alert) => !ids || ids.has(alert.id)
  const stays = filter.state === 'all' || filter.state === 'gone' || filter.state === state
  let removed = 0
  const pages = data.pages.map((page) => {
    const alerts = stays
      ? page.alerts.map((alert) => (isMarked(alert) ? { ...alert, state } : alert))
      : page.alerts.filter((alert) => !isMarked(alert))
    removed += page.alerts.length - alerts.length
    return { ...page, alerts }
  })
  const changed = ids ? removed : Infinity
  return {
    ...data,
    pages: pages.map((page) => ({ ...page, total: stays ? page.total : Math.max(0, page.total - changed) })),
  }
}
