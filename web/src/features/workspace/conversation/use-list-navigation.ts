import { useEffect, useRef, type RefObject } from 'react'
import { useAtom } from '../../../shared/jotai.ts'
import { activeLineIdAtom, scrollRequestAtom } from '../state/navigation.ts'
import type { ConversationItem } from './list-items.ts'

interface ListNavigationOptions {
  list: RefObject<HTMLElement | null>
  items: ConversationItem[]
  /** The index of each item by its id. */
  indexes: ReadonlyMap<string, number>
  /** Scrolls a row into view. */
  reveal: (index: number | undefined) => void
  onSeek: (seconds: number) => void
}

/** Moves the roving focus of the list, and scrolls to lines that other parts of the desk request. */
export function useListNavigation({ list, items, indexes, reveal, onSeek }: ListNavigationOptions) {
  const [activeLineId, setActiveLineId] = useAtom(activeLineIdAtom)
  const [scrollRequest, setScrollRequest] = useAtom(scrollRequestAtom)
  const pendingFocus = useRef<string | null>(null)

  // Runs after each render, because a row far away is only rendered once it is the active one.
  useEffect(() => {
    const row = pendingFocus.current === null ? null : findRow(list.current, pendingFocus.current)
    if (!row) return
    pendingFocus.current = null
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  })

  useEffect(() => {
    if (!scrollRequest) return
    const { lineId, isFocused } = scrollRequest
    const index = indexes.get(lineId)
    if (index === undefined) return
    if (isFocused) pendingFocus.current = lineId
    reveal(index)
    setScrollRequest(null)
  })

  /** Moves the roving focus to the nearest line at or beyond an index, in the given direction. */
  function moveTo(index: number, direction: 1 | -1) {
    for (let at = index; at >= 0 && at < items.length; at += direction) {
      const item = items[at]
      if (item?.line) return activate(item.id)
    }
  }

  function activate(id: string) {
    // No render, and so no effect, follows if this line is already active.
    if (id === activeLineId) findRow(list.current, id)?.focus()
    else pendingFocus.current = id
    setActiveLineId(id)
  }

  /** Seeks to the line at an index. */
  function select(index: number) {
    const line = items[index]?.line
    if (line) onSeek(line.start)
  }

  return { moveTo, select }
}

function findRow(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-line="${CSS.escape(id)}"]`) ?? null
}
