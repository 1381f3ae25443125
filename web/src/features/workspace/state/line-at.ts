import type { ConversationLine } from './conversation-line.ts'

/** Returns the line spoken at `seconds`; the latest begun wins where speakers overlap. Undefined in silence. */
export function lineAt(lines: readonly ConversationLine[], seconds: number): ConversationLine | undefined {
  return lines.findLast(({ start, end }) => start <= seconds && seconds < end)
}
