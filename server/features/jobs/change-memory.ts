import type { Types } from 'mongoose'

interface Change {
  _id: Types.ObjectId
  version: number
  /** Its number among all changes. */
  change: number
  state?: string
}

/** A number may become visible so long after a higher one: its writer was held up between taking it and writing. */
const overlapMs = 15_000
/** At the beginning nothing is known of the past: so many may be on their way. */
const overlapAtStart = 100

/**
 * How far a reader of changes has come. Numbers become visible out of their order, so each look reaches back to the highest number that
 * was known 15 s ago, by this process's own watch, and tells by their versions what was told already.
 */
export function createChangeMemory(lastChange: number) {
  const seen = new Map<string, Pick<Change, 'version' | 'change' | 'state'>>()
  /** The highest number known at each look, oldest first. */
  const marks = [{ atMs: -Infinity, change: Math.max(0, lastChange - overlapAtStart) }]
  let after = marks[0]?.change ?? 0

  function forget() {
    const limitMs = performance.now() - overlapMs
    while (marks[1] && marks[1].atMs <= limitMs) marks.shift()
    after = marks[0]?.change ?? after
    for (const [id, { change }] of seen) if (change <= after) seen.delete(id)
  }

  return {
    /** The next look wants what is higher. */
    get after() {
      return after
    },
    isNew: ({ _id, version }: Change) => seen.get(_id.toHexString())?.version !== version,
    /** Whether the state is another than last time, or was never seen. */
    hasMoved: ({ _id, state }: Change) => seen.get(_id.toHexString())?.state !== state,
    learn(changes: Change[]) {
      for (const { _id, version, change, state } of changes) seen.set(_id.toHexString(), { version, change, state })
      const newest = Math.max(...changes.map(({ change }) => change))
      if (newest > (marks.at(-1)?.change ?? 0)) marks.push({ atMs: performance.now(), change: newest })
      forget()
    },
  }
}
