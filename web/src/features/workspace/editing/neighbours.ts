import type { ConversationLine } from '../state/conversation-line.ts'

/** Whether a row is a line that can be edited: not a gap, and not part of a running transcription. */
export function isEditable({ segment, isPartial }: ConversationLine): boolean {
  return segment !== null && !isPartial
}

/** Returns the nearest editable line before or after a line. */
export function neighbourOf(
  lines: readonly ConversationLine[],
  line: ConversationLine,
  direction: 'before' | 'after',
): ConversationLine | undefined {
  const at = lines.findIndex(({ id }) => id === line.id)
  if (at < 0) return undefined
  return direction === 'after' ? lines.slice(at + 1).find(isEditable) : lines.slice(0, at).findLast(isEditable)
}

/** Returns the next line of the same speaker; undefined after the last. */
export function nextOfSpeaker(
  lines: readonly ConversationLine[],
  line: ConversationLine,
): ConversationLine | undefined {
  const at = lines.findIndex(({ id }) => id === line.id)
  return at < 0 ? undefined : lines.slice(at + 1).find((other) => isEditable(other) && isOfSameSpeaker(other, line))
}

/** Returns the previous line of the same speaker; undefined before the first. */
export function previousOfSpeaker(
  lines: readonly ConversationLine[],
  line: ConversationLine,
): ConversationLine | undefined {
  const at = lines.findIndex(({ id }) => id === line.id)
  return at < 0 ? undefined : lines.slice(0, at).findLast((other) => isEditable(other) && isOfSameSpeaker(other, line))
}

function isOfSameSpeaker(a: ConversationLine, b: ConversationLine): boolean {
  return a.segment?.speaker === b.segment?.speaker && a.segment?.channel === b.segment?.channel
}
