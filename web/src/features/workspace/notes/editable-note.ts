import type { Note } from '#contract/notes.ts'

/** A note on screen: with what was typed, saved or not. */
export interface EditableNote extends Note {
  /** Identifies it on this screen, also before the server has given it an id. */
  key: string
  /** The server has it as shown; it is being sent; or it could not be sent. */
  saveState: 'saved' | 'saving' | 'failed'
  /** Why it could not be sent. */
  error?: string
  /** Not yet at the server. */
  isNew?: true
}
