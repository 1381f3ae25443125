import { useMemo } from 'react'
import { useLocation } from 'react-router-dom'
import { useOwnSearchParams } from '../../shared/use-own-search-params.ts'
import {
  readSearchView,
  writeSearchView,
  type SearchFilter,
  type SearchSort,
  type SearchSpelling,
} from './search-address.ts'

/** State of a history entry whose search is still being typed. */
const typing = { isTyping: true }

/** Returns the search in the address, with functions that change it. Back returns to the previous search, not to the previous letter. */
export function useSearchView() {
  const [params, setParams] = useOwnSearchParams()
  const { state } = useLocation()
  const address = params.toString()
  const view = useMemo(() => readSearchView(new URLSearchParams(address)), [address])
  const isTyping = isTypingState(state)

  return {
    ...view,
    /** Searches for a text that may still be incomplete. */
    type(q: string) {
      if (q.trim() !== view.q) setParams(writeSearchView({ ...view, q }), { replace: isTyping, state: typing })
    },
    /** Searches for a complete text. */
    submit(q: string) {
      if (q.trim() !== view.q || isTyping) setParams(writeSearchView({ ...view, q }), { replace: isTyping })
    },
    setFilter: (filter: SearchFilter) => setParams(writeSearchView({ ...view, filter })),
    setSpelling: (spelling: SearchSpelling) => setParams(writeSearchView({ ...view, spelling })),
    setSort: (sort: SearchSort) => setParams(writeSearchView({ ...view, sort })),
  }
}

export type SearchViewState = ReturnType<typeof useSearchView>

function isTypingState(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isTyping' in state
}
