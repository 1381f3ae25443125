import type { Note } from '#contract/notes.ts'

/** A note on screen, with the typed text, saved or not. */
export interface EditableNote extends Note {
  /** Identifies the note on this screen, even before the server assigns an id. */
  key: string
  /** Whether the server has the note as shown, it is being sent, or it could not be sent. */
  saveState: 'saved' | 'saving' | 'failed'
  /** Why the note could not be sent. */
  error?: string
  /** Set if the server does not have the note yet. */
  isNew?: true
}
