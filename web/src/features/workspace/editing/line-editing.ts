import type { LineChange } from '#contract/line-edits.ts'
import type { ConversationLine } from '../conversation/conversation-line.ts'

/** Edits that the server has not taken: what to tell, and whether repeating may help. */
export type EditSaveState =
  | { status: 'saved' | 'saving' }
  | { status: 'failed'; message: string }
  /** Lines changed elsewhere in the meantime: the user chooses for each. */
  | { status: 'conflict'; conflicts: { mine: LineChange; theirs: LineChange }[] }

/** Changes lines of the recording on screen; speakers and texts share one history. */
export interface LineEditing {
  state: EditSaveState
  /** The line that is open for editing; null for none. */
  editedLineId: string | null
  /** Opens a line for editing, at the end of its text or at an offset; null closes. */
  open: (lineId: string | null, offset?: number) => void
  /** Replaces the text of a line; the same text changes nothing. */
  changeText: (line: ConversationLine, text: string) => void
  /** Splits a line before the character at `offset`. */
  split: (line: ConversationLine, offset: number) => void
  /** Joins a line with the next one of its speaker. */
  joinWithNext: (line: ConversationLine) => void
  /** Gives a line to another speaker. */
  changeSpeaker: (line: ConversationLine, label: string) => void
  /** Returns to what the engine wrote. */
  revert: (line: ConversationLine) => void
  /** What the engine wrote, where it differs from the line. */
  originalOf: (line: ConversationLine) => string | undefined
  undo: () => void
  redo: () => void
  /** What undo would take back, such as "Line corrected"; undefined for nothing. */
  undoLabel: string | undefined
  redoLabel: string | undefined
  retry: () => void
  /** Ends a conflict: keeps the other's lines, or overwrites them with one's own. */
  resolve: (choice: 'mine' | 'theirs') => void
}
