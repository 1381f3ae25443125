import type { LineChange } from '#contract/line-edits.ts'
import type { ConversationLine } from './conversation-line.ts'

/** Lines that were changed here and elsewhere since they were last the same. Both sides cover the same lines of the engine. */
export interface LineConflict {
  mine: LineChange[]
  theirs: LineChange[]
}

/** Edits that the server has not taken: what to report, and whether repeating may help. */
export type EditSaveState =
  | { status: 'saved' | 'saving' }
  | { status: 'failed'; message: string }
  /** Lines changed elsewhere in the meantime: the user chooses for each. */
  | { status: 'conflict'; conflicts: LineConflict[] }

/** Changes lines of the recording on screen; speakers and texts share one history. See useSpeakers for the speaker of a line. */
export interface LineEditing {
  state: EditSaveState
  /** The line that is open for editing; null for none. */
  editedLineId: string | null
  /** Where the caret of the open line starts; undefined: at the end of its text. */
  caretOffset: number | undefined
  /** Opens a line for editing, at the end of its text or at an offset; null closes. */
  open: (lineId: string | null, offset?: number) => void
  /** Saves what is typed in the open line. Returns the line as it is then; null where its words were all deleted, undefined where none is open. */
  saveOpen: () => ConversationLine | null | undefined
  /** Gives the open line's editor to saveOpen. Returns what takes it away. */
  provideSave: (save: () => ConversationLine | null) => () => void
  /** Replaces the text of a line by another one, cleaned as EditedLine does. `session` joins changes to one step of the history. */
  changeText: (line: ConversationLine, text: string, session?: string) => void
  /** Splits a line before the character at `offset`; an open editor goes on in the second part. Returns false where it cannot be split. */
  split: (line: ConversationLine, offset: number) => boolean
  /** Joins a line with a later one of its speaker (see nextOfSpeaker); an open editor goes on in the joined line. Returns false where it cannot. */
  joinWithNext: (line: ConversationLine, next: ConversationLine) => boolean
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
  resolve: (choice: 'mine' | 'theirs', conflict: LineConflict) => void
}
