import type { ConversationLine } from './conversation-line.ts'

/** Returns the line spoken at `seconds`; if speakers overlap, the one that started last. Undefined in silence. */
export function lineAt(lines: readonly ConversationLine[], seconds: number): ConversationLine | undefined {
  return lines.findLast(({ start, end }) => start <= seconds && seconds < end)
}
