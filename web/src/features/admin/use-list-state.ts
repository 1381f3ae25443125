import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useOwnSearchParams } from '../../shared/use-own-search-params.ts'

const typingMs = 250

/**
 * Returns the search text, filters and page of a list. They are kept in the address, so that Back, a reload and a copied link show the
 * same list; a new search or filter starts at page 1, and a search starts when typing pauses.
 */
export function useListState() {
  const [params, setParams] = useOwnSearchParams()
  /** Text that has been typed but not searched for yet. */
  const [draft, setDraft] = useState<string>()
  const search = params.get('q') ?? ''

  function change(values: Record<string, string>) {
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values)) {
          if (value) after.set(name, value)
          else after.delete(name)
        }
        return after
      },
      { replace: true },
    )
  }

  const commit = useDebouncedCallback((text: string) => {
    change({ q: text, page: '' })
    setDraft(undefined)
  }, typingMs)

  return {
    typed: draft ?? search,
    search,
    page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
    setPage: (page: number) => change({ page: page === 1 ? '' : String(page) }),
    setTyped(text: string) {
      setDraft(text)
      commit(text)
    },
    /** Returns the value of a filter if it is one of the known values, otherwise an empty string. */
    filter<Value extends string>(name: string, known: readonly Value[]): Value | '' {
      return known.find((value) => value === params.get(name)) ?? ''
    },
    /** Returns a free-text value from the address; empty if there is none. */
    text: (name: string) => params.get(name) ?? '',
    setFilter: (name: string, value: string) => change({ [name]: value, page: '' }),
    /** Returns to the whole list in its default order. */
    clear() {
      setDraft(undefined)
      setParams({}, { replace: true })
    },
    setFilters: (values: Record<string, string>) => change({ ...values, page: '' }),
  }
}
