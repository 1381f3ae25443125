import type { DescribeSpeaker } from '../speakers/describe-speaker.ts'
import { isUncertainLine, type ConversationLine } from '../state/conversation-line.ts'

export interface LineFilter {
  /** Labels of the speakers whose lines are shown; empty for all. */
  speakers: readonly string[]
  isOnlyHits: boolean
  isOnlyUncertain: boolean
}

export const noFilter: LineFilter = { speakers: [], isOnlyHits: false, isOnlyUncertain: false }

/** Returns whether any filter is set. */
export function isFiltering({ speakers, isOnlyHits, isOnlyUncertain }: LineFilter): boolean {
  return speakers.length > 0 || isOnlyHits || isOnlyUncertain
}

/** Returns the lines that pass a filter. Without a filter it returns the same array. */
export function filterLines(
  lines: ConversationLine[],
  filter: LineFilter,
  describe: DescribeSpeaker,
): ConversationLine[] {
  if (!isFiltering(filter)) return lines
  const { speakers, isOnlyHits, isOnlyUncertain } = filter
  const wanted = new Set(speakers)
  return lines.filter(
    (line) =>
      (wanted.size === 0 || wanted.has(speakerOf(line, describe) ?? '')) &&
      (!isOnlyHits || hasHits(line)) &&
      (!isOnlyUncertain || isUncertainLine(line)),
  )
}

/** Returns the label of a line's speaker; null where it is unknown. */
export function speakerOf({ segment, gap }: ConversationLine, describe: DescribeSpeaker): string | null {
  return describe(segment?.speaker, segment?.channel ?? gap?.channel).label
}

function hasHits({ hits }: ConversationLine): boolean {
  return hits.original.length > 0 || hits.translation.length > 0
}
