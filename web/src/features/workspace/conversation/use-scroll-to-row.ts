import { useEffect, useRef } from 'react'
import type { LineVirtualizer } from './use-line-virtualizer.ts'

/** The spoken line stays at this share of the list's height. */
const followedShare = 1 / 3

/** Returns functions that scroll a virtual list to a row by index; undefined does nothing. */
export function useScrollToRow(virtualizer: LineVirtualizer) {
  const frame = useRef(0)
  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  function aim(index: number, behavior: 'auto' | 'smooth') {
    const row = virtualizer.measurementsCache[index]
    const height = virtualizer.scrollRect?.height ?? 0
    if (row) virtualizer.scrollToOffset(Math.max(0, row.start - height * followedShare), { behavior })
  }

  /** Scrolls a row to one third of the list's height: smoothly if it is near, instantly if far. */
  function scrollToThird(index: number | undefined) {
    if (index === undefined) return
    const height = virtualizer.scrollRect?.height ?? 0
    const distance = (virtualizer.measurementsCache[index]?.start ?? 0) - (virtualizer.scrollOffset ?? 0)
    const isNear = distance > 0 && distance < height && !prefersReducedMotion()
    aim(index, isNear ? 'smooth' : 'auto')
    if (isNear) return
    // The rows around it are measured two frames later.
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(() => {
      frame.current = requestAnimationFrame(() => aim(index, 'auto'))
    })
  }

  /** Scrolls a row into view, unless it already is. */
  function reveal(index: number | undefined) {
    const row = index === undefined ? undefined : virtualizer.measurementsCache[index]
    if (!row) return
    const top = virtualizer.scrollOffset ?? 0
    const height = virtualizer.scrollRect?.height ?? 0
    if (row.start < top || row.end > top + height) scrollToThird(index)
  }

  return { scrollToThird, reveal }
}

function prefersReducedMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
