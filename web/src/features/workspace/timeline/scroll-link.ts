/** A position in the lines of a recording: a line, named by its start in seconds, and how much of it is scrolled past, 0 to 1. */
export interface ScrollPosition {
  start: number
  past: number
}

/** A list of lines that scrolls with others. */
export interface LinkedList {
  readPosition(): ScrollPosition
  scrollTo(position: ScrollPosition): void
}

export interface ScrollLink {
  /** Adds a list and scrolls it to where the others are. Returns a function that removes it. */
  join(list: LinkedList): () => void
  /** Scrolls the other lists after a scroll event of this one, caused by its reader or by `scrollTo`. */
  handleScroll(list: LinkedList): void
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
      if (other) list.scrollTo(other.readPosition())
      lists.add(list)
      return () => lists.delete(list)
    },
    handleScroll(list) {
      if (leader !== list && now() < leadsUntil) return
      leader = list
      leadsUntil = now() + echoMs
      const position = list.readPosition()
      for (const other of lists) if (other !== list) other.scrollTo(position)
    },
  }
}
