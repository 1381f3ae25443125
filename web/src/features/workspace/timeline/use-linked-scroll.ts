import { useEffect, useRef, type RefObject } from 'react'
import type { LinkedList } from './scroll-link.ts'
import { useSharedTimeline } from './timeline-context.ts'

/** Where the rows of a list lie, in pixels from its top. */
interface RowGeometry {
  indexAt(offset: number): number
  top(index: number): number
  height(index: number): number
}

interface LinkedScrollOptions {
  scroller: RefObject<HTMLElement | null>
  lines: readonly { start: number }[]
  geometry: RowGeometry
}

/**
 * Links a list with the other timelines of the recording. Lists agree about the line at a point that moves from their upper edge, at the
 * beginning, to their lower edge, at the end: so all of them reach both.
 */
export function useLinkedScroll({ scroller, lines, geometry }: LinkedScrollOptions): void {
  const { scrollLink } = useSharedTimeline()
  const latest = useRef({ lines, geometry })
  useEffect(() => {
    latest.current = { lines, geometry }
  })
  useEffect(() => {
    const list = scroller.current
    if (!scrollLink || !list) return
    const scrollRange = () => Math.max(0, list.scrollHeight - list.clientHeight)
    const linked: LinkedList = {
      readPosition() {
        const { lines, geometry } = latest.current
        const point = scrollRange() === 0 ? 0 : (list.scrollTop * list.scrollHeight) / scrollRange()
        const index = Math.max(0, Math.min(geometry.indexAt(point), lines.length - 1))
        const past = (point - geometry.top(index)) / (geometry.height(index) || 1)
        return { start: lines[index]?.start ?? 0, past: Math.min(1, Math.max(0, past)) }
      },
      scrollTo({ start, past }) {
        const { lines, geometry } = latest.current
        const index = Math.max(
          0,
          lines.findLastIndex((line) => line.start <= start),
        )
        const point = geometry.top(index) + past * geometry.height(index)
        list.scrollTop = (point * scrollRange()) / (list.scrollHeight || 1)
      },
    }
    const leave = scrollLink.join(linked)
    const onScroll = () => scrollLink.handleScroll(linked)
    list.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      leave()
      list.removeEventListener('scroll', onScroll)
    }
  }, [scrollLink, scroller])
}
