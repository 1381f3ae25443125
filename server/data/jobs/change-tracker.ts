interface Change {
  id: string
  version: number
  /** Its number among all changes. */
  change: number
  state?: string
}

interface Overlap {
  /** How long after a higher number a number may become visible: its writer may be delayed between taking and writing it. */
  overlapMs: number
  /** How many numbers may still become visible at start, when nothing is known of the past. */
  overlapAtStart: number
}

const defaultOverlap: Overlap = { overlapMs: 15_000, overlapAtStart: 100 }

/**
 * Remembers how far a reader of changes has come. Numbers become visible out of order, so each poll reaches back to the highest number
 * known 15 s ago (`overlapMs`), by this process's monotonic clock, and uses versions to skip the changes already seen.
 */
export function createChangeTracker(lastChange: number, { overlapMs, overlapAtStart } = defaultOverlap) {
  const seen = new Map<string, Pick<Change, 'version' | 'change' | 'state'>>()
  /** The highest number known at each poll, oldest first. */
  const marks = [{ atMs: -Infinity, change: Math.max(0, lastChange - overlapAtStart) }]
  let after = marks[0]?.change ?? 0

  function forgetOld() {
    const limitMs = performance.now() - overlapMs
    while (marks[1] && marks[1].atMs <= limitMs) marks.shift()
    after = marks[0]?.change ?? after
    for (const [id, { change }] of seen) if (change <= after) seen.delete(id)
  }

  return {
    /** The next poll asks for higher numbers. */
    get after() {
      return after
    },
    isNew: ({ id, version }: Change) => seen.get(id)?.version !== version,
    /** Returns whether the state differs from the last one seen, or none was seen. */
    hasChangedState: ({ id, state }: Change) => seen.get(id)?.state !== state,
    markSeen(changes: Change[]) {
      for (const { id, version, change, state } of changes) seen.set(id, { version, change, state })
      const newest = Math.max(...changes.map(({ change }) => change))
      if (newest > (marks.at(-1)?.change ?? 0)) marks.push({ atMs: performance.now(), change: newest })
      forgetOld()
    },
  }
}
