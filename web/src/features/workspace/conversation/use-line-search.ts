import { useDeferredValue, useMemo, useState } from 'react'
import { atom, useSetAtom } from '../../../shared/jotai.ts'
import { activeLineIdAtom, isFollowingAtom, scrollRequestAtom } from '../state/navigation.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { groupMatches } from './line-matches.ts'
import { createLineSearch, type SelectShownFields, type LineMatch } from './search-lines.ts'

/** Makes the line of a match active and scrolls to it; the focus stays where it is. */
const visitAtom = atom(null, (_get, set, { lineId }: LineMatch) => {
  set(isFollowingAtom, false)
  set(activeLineIdAtom, lineId)
  set(scrollRequestAtom, { lineId, isFocused: false })
})
const readActiveLineIdAtom = atom(null, (get) => get(activeLineIdAtom))

/** Returns a search in the lines shown, with its current match. `fieldsOf` must stay the same as long as the shown texts do. */
export function useLineSearch(lines: ConversationLine[], fieldsOf: SelectShownFields) {
  const [search] = useState(createLineSearch)
  const [query, setQuery] = useState('')
  const [hasSpellings, setHasSpellings] = useState(true)
  const [visited, setVisited] = useState<LineMatch | null>(null)
  const visit = useSetAtom(visitAtom)
  const readActiveLineId = useSetAtom(readActiveLineIdAtom)
  const shownQuery = useDeferredValue(query)
  const found = useMemo(
    () => search.find(lines, shownQuery, { fieldsOf, hasSpellings: true }),
    [search, lines, shownQuery, fieldsOf],
  )
  const matches = useMemo(
    () => (hasSpellings ? found : found.filter(({ isSpelled }) => !isSpelled)),
    [found, hasSpellings],
  )
  const current = visited === null ? -1 : matches.findIndex((match) => isSame(match, visited))
  const byLine = useMemo(() => groupMatches(matches, current < 0 ? null : current), [matches, current])

  function goTo(match: LineMatch | undefined) {
    setVisited(match ?? null)
    if (match) visit(match)
  }

  /** Goes to the first match at or below the active line, or to the first of all if there is none. */
  function change(next: string) {
    setQuery(next)
    const places = search.find(lines, next, { fieldsOf, hasSpellings })
    const activeLineId = readActiveLineId()
    const active = lines.findIndex(({ id }) => id === activeLineId)
    const below = new Set(lines.slice(Math.max(0, active)).map(({ id }) => id))
    goTo(places.find(({ lineId }) => below.has(lineId)) ?? places[0])
  }

  function step(by: 1 | -1) {
    if (matches.length === 0) return
    const from = current < 0 && by === -1 ? 0 : current
    goTo(matches[(from + by + matches.length) % matches.length])
  }

  return {
    query,
    change,
    next: () => step(1),
    previous: () => step(-1),
    matches,
    /** How many matches are other spellings of a name. */
    spelledCount: found.filter(({ isSpelled }) => isSpelled).length,
    /** Whether matches in other spellings are included. */
    hasSpellings,
    setHasSpellings,
    /** The index of the current match; -1 before the first. */
    current,
    byLine,
    prepare: () => search.prepare(lines),
  }
}

export type LineSearchState = ReturnType<typeof useLineSearch>

function isSame(a: LineMatch, b: LineMatch): boolean {
  return a.lineId === b.lineId && a.field === b.field && a.start === b.start
}
