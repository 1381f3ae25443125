import { useEffect, useRef, type RefObject } from 'react'

/** A place in the lines of a recording: a line, named by its start in seconds, and how much of it is past, 0 to 1. */
export interface Place {
  start: number
  past: number
}

/** A list of lines that scrolls with others. */
export interface LinkedList {
  place(): Place
  show(place: Place): void
}

export interface ScrollLink {
  /** Adds a list, shows in it where the others are, and answers how to take it out again. */
  join(list: LinkedList): () => void
  /** A list was scrolled, by its reader or by `show`. */
  moved(list: LinkedList): void
}

/** Scrolling a list scrolls the others: those events, a frame or two later, must not scroll the first one back. */
const echoMs = 150

/** Keeps lists of the same lines in different languages at the same line, although their heights differ. */
export function createScrollLink(now: () => number = () => performance.now()): ScrollLink {
  const lists = new Set<LinkedList>()
  let leader: LinkedList | undefined
  let leadsUntil = 0
  return {
    join(list) {
      const [other] = lists
      if (other) list.show(other.place())
      lists.add(list)
      return () => lists.delete(list)
    },
    moved(list) {
      if (leader !== list && now() < leadsUntil) return
      leader = list
      leadsUntil = now() + echoMs
      const place = list.place()
      for (const other of lists) if (other !== list) other.show(place)
    },
  }
}

/** Where the rows of a list lie, in pixels from its top. */
interface RowGeometry {
  indexAt(offset: number): number
  top(index: number): number
  height(index: number): number
}

interface LinkedScrollOptions {
  link: ScrollLink | undefined
  scroller: RefObject<HTMLElement | null>
  lines: readonly { start: number }[]
  geometry: RowGeometry
}

/**
 * Joins a list to a link. Lists agree about the line at a point that moves from their upper edge, at the beginning, to their lower
 * edge, at the end: so all of them reach both.
 */
export function useLinkedScroll({ link, scroller, lines, geometry }: LinkedScrollOptions): void {
  const latest = useRef({ lines, geometry })
  useEffect(() => {
    latest.current = { lines, geometry }
  })
  useEffect(() => {
    const list = scroller.current
    if (!link || !list) return
    const way = () => Math.max(0, list.scrollHeight - list.clientHeight)
    const linked: LinkedList = {
      place() {
        const { lines, geometry } = latest.current
        const point = way() === 0 ? 0 : (list.scrollTop * list.scrollHeight) / way()
        const index = Math.max(0, Math.min(geometry.indexAt(point), lines.length - 1))
        const past = (point - geometry.top(index)) / (geometry.height(index) || 1)
        return { start: lines[index]?.start ?? 0, past: Math.min(1, Math.max(0, past)) }
      },
      show({ start, past }) {
        const { lines, geometry } = latest.current
        const index = Math.max(
          0,
          lines.findLastIndex((line) => line.start <= start),
        )
        const point = geometry.top(index) + past * geometry.height(index)
        list.scrollTop = (point * way()) / (list.scrollHeight || 1)
      },
    }
    const leave = link.join(linked)
    const onScroll = () => link.moved(linked)
    list.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      leave()
      list.removeEventListener('scroll', onScroll)
    }
  }, [link, scroller])
}
