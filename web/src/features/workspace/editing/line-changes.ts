import type { EditedLine, LineChange } from '#contract/line-edits.ts'
import type { LineConflict } from '../state/line-editing.ts'

/**
 * Returns changes with later ones on top. Each line of the engine is in at most one of them: if a later change covers part of an earlier
 * one, the rest of the earlier one reverts to the engine's lines.
 */
export function mergeChanges(earlier: readonly LineChange[], later: readonly LineChange[]): LineChange[] {
  if (later.length === 0) return [...earlier]
  const covered = new Set(later.flatMap(({ from }) => from))
  const kept = earlier.flatMap((change): LineChange[] => {
    const rest = change.from.filter((index) => !covered.has(index))
    if (rest.length === change.from.length) return [change]
    return rest.length === 0 ? [] : [{ from: rest, lines: null }]
  })
  return [...kept, ...later]
}

/** Returns the state of some of the engine's lines, and any joined with them, after changes: in order, one entry per unchanged line. */
export function stateAt(changes: readonly LineChange[], indexes: readonly number[]): LineChange[] {
  const wanted = new Set(indexes)
  const touched = changes.filter(({ from, lines }) => lines !== null && from.some((index) => wanted.has(index)))
  const changed = new Set(touched.flatMap(({ from }) => from))
  const unchanged = [...wanted].filter((index) => !changed.has(index))
  return [
    ...touched.map(({ from, lines }) => ({ from, lines })),
    ...unchanged.map((index) => ({ from: [index], lines: null })),
  ].toSorted((a, b) => firstOf(a) - firstOf(b))
}

/** Returns whether two states of the same lines are equal. */
export function isSameState(a: readonly LineChange[], b: readonly LineChange[]): boolean {
  return JSON.stringify(a.map(toComparable)) === JSON.stringify(b.map(toComparable))
}

/** Lists the indexes that changes cover, ascending. */
export function indexesOf(changes: readonly LineChange[]): number[] {
  return [...new Set(changes.flatMap(({ from }) => from))].toSorted((a, b) => a - b)
}

/**
 * Applies unsent changes, made to `before`, on top of `after`, the state that others left. Changes to lines that others changed too are
 * conflicts; changes that others made identically are dropped.
 */
export function rebase(
  mine: readonly LineChange[],
  before: readonly LineChange[],
  after: readonly LineChange[],
): { kept: LineChange[]; conflicts: LineConflict[] } {
  const shown = mergeChanges(before, mine)
  const kept: LineChange[] = []
  const conflicts: LineConflict[] = []
  const done = new Set<number>()
  for (const change of mine) {
    if (change.from.some((index) => done.has(index))) continue
    const indexes = connectedIndexes(change.from, [mine, shown, before, after])
    for (const index of indexes) done.add(index)
    const own = stateAt(shown, indexes)
    const theirs = stateAt(after, indexes)
    if (isSameState(own, theirs)) continue
    if (isSameState(stateAt(before, indexes), theirs))
      kept.push(...mine.filter(({ from }) => indexes.includes(from[0] ?? -1)))
    else conflicts.push({ mine: own, theirs })
  }
  return { kept, conflicts }
}

/** Returns the indexes, and all others that any of these layers joined with them. */
function connectedIndexes(indexes: readonly number[], layers: readonly (readonly LineChange[])[]): number[] {
  const connected = new Set(indexes)
  for (let size = 0; size !== connected.size;) {
    size = connected.size
    for (const { from, lines } of layers.flat()) {
      if (lines !== null && from.some((index) => connected.has(index))) for (const index of from) connected.add(index)
    }
  }
  return [...connected].toSorted((a, b) => a - b)
}

function firstOf({ from }: LineChange): number {
  return from[0] ?? 0
}

function toComparable({ from, lines }: LineChange) {
  return [from, lines && lines.map(({ start, end, text, speaker }: EditedLine) => [start, end, text, speaker])]
}
