import type { LineChange } from '#contract/line-edits.ts'
import type { ConversationLine } from './conversation-line.ts'

/** Lines that were changed both here and elsewhere since they were last equal. Both sides cover the same lines of the engine. */
export interface LineConflict {
  mine: LineChange[]
  theirs: LineChange[]
}

/** The save state of the edits: what to report about unsaved ones, and whether a retry may help. */
export type EditSaveState =
  | { status: 'saved' | 'saving' }
  | { status: 'failed'; message: string }
  /** Lines were changed elsewhere in the meantime; the user chooses for each. */
  | { status: 'conflict'; conflicts: LineConflict[] }

/** Changes lines of the recording on screen; speakers and texts share one history. See useSpeakers for the speaker of a line. */
export interface LineEditing {
  state: EditSaveState
  /** The line that is open for editing; null for none. */
  editedLineId: string | null
  /** The initial caret position in the open line; undefined means at the end of its text. */
  caretOffset: number | undefined
  /** Opens a line for editing, at the end of its text or at an offset; null closes. */
  open: (lineId: string | null, offset?: number) => void
  /** Saves the text of the open line. Returns the resulting line; null if all its words were deleted, undefined if none is open. */
  saveOpen: () => ConversationLine | null | undefined
  /** Registers the open line's editor for saveOpen. Returns a function that unregisters it. */
  provideSave: (save: () => ConversationLine | null) => () => void
  /** Replaces the text of a line, cleaned as EditedLine does. `session` combines changes into one step of the history. */
  changeText: (line: ConversationLine, text: string, session?: string) => void
  /** Splits a line before the character at `offset`; an open editor continues in the second part. Returns false if it cannot be split. */
  split: (line: ConversationLine, offset: number) => boolean
  /** Joins a line with its speaker's next (see nextOfSpeaker); an open editor continues in the joined line. Returns false if impossible. */
  joinWithNext: (line: ConversationLine, next: ConversationLine) => boolean
  /** Restores the engine's text. */
  revert: (line: ConversationLine) => void
  /** Returns the engine's text if it differs from the line. */
  originalOf: (line: ConversationLine) => string | undefined
  undo: () => void
  redo: () => void
  /** The label of what undo would revert, such as "Line corrected"; undefined for nothing. */
  undoLabel: string | undefined
  redoLabel: string | undefined
  retry: () => void
  /** Resolves a conflict: keeps the other person's lines, or overwrites them with the user's. */
  resolve: (choice: 'mine' | 'theirs', conflict: LineConflict) => void
}
