import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { AlertFilter } from '#contract/alerts.ts'

export const alertTabs = ['inbox', 'watch-lists', 'mails'] as const
export type AlertTab = (typeof alertTabs)[number]

/** Returns the tab and filter in the address, and functions to change them; invalid values are ignored. */
export function useAlertsAddress() {
  const [params, setParams] = useSearchParams()
  const address = params.toString()
  const filter = useMemo(() => readFilter(new URLSearchParams(address)), [address])
  const tab = alertTabs.find((known) => known === params.get('tab')) ?? 'inbox'
  return {
    tab,
    filter,
    setTab: (chosen: AlertTab) => setParams(chosen === 'inbox' ? {} : { tab: chosen }),
    setFilter: (chosen: AlertFilter) => setParams(writeFilter(chosen)),
  }
}

function readFilter(params: URLSearchParams): AlertFilter {
  const raw = Object.fromEntries(params)
  const { success, data, error } = AlertFilter.safeParse(raw)
  if (success) return data
  const wrong = new Set(error.issues.map(({ path }) => path[0]))
  return AlertFilter.parse(Object.fromEntries(Object.entries(raw).filter(([name]) => !wrong.has(name))))
}

function writeFilter({ state, ...filter }: AlertFilter): URLSearchParams {
  const params = new URLSearchParams()
  if (state !== 'new') params.set('state', state)
  for (const [name, value] of Object.entries(filter)) if (value) params.set(name, value)
  return params
}

/** Whether a filter narrows the list by more than its state. */
export function isNarrowed({ state: _state, ...filter }: AlertFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}
