import type { LineField, LineMatch } from './search-lines.ts'
import type { MatchRange } from './split-text.ts'

/** The matches in one text of a line. */
export interface FieldMatches {
  ranges: MatchRange[]
  /** The index of the current match; null if it is not in this text. */
  current: number | null
}

/** The matches in a line, by text. */
export type LineMatches = Partial<Record<LineField, FieldMatches>>

/** Groups matches by line; `current` is an index in `matches`. */
export function groupMatches(matches: readonly LineMatch[], current: number | null): Map<string, LineMatches> {
  const byLine = new Map<string, LineMatches>()
  for (const [index, { lineId, field, ...range }] of matches.entries()) {
    const line = byLine.get(lineId) ?? {}
    const own = line[field] ?? { ranges: [], current: null }
    if (index === current) own.current = own.ranges.length
    own.ranges.push(range)
    line[field] = own
    byLine.set(lineId, line)
  }
  return byLine
}
