import type { ConversationLine } from '../conversation/conversation-line.ts'

/** The menu of a line. */
export function LineActions({ line }: { line: ConversationLine }) {
  return <span hidden>{line.id}</span>
}
