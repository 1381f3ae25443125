import { useEffect, useRef } from 'react'
import { atom, useSetAtom } from '../../../shared/jotai.ts'
import { searchFieldAtom } from '../state/navigation.ts'
import type { LineSearchState } from './use-line-search.ts'

const focusSearchFieldAtom = atom(null, (get) => get(searchFieldAtom)?.focus())

/** F3 goes to the next match and Shift-F3 to the previous one, wherever the focus is; without a search, to the search field. */
export function useSearchKeys(search: LineSearchState): void {
  const focusSearchField = useSetAtom(focusSearchFieldAtom)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'F3' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (search.query.trim() === '') focusSearchField()
    else if (event.shiftKey) search.previous()
    else search.next()
  }

  const latest = useRef(onKeyDown)
  useEffect(() => {
    latest.current = onKeyDown
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
