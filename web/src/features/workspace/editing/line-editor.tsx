import type { ConversationLine } from '../conversation/conversation-line.ts'

/** Edits the text of a line in its row. */
export function LineEditor({ line }: { line: ConversationLine }) {
  return <span hidden>{line.id}</span>
}
