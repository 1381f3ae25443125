import { z } from 'zod'
import { FlaggedLine, type Note } from '#contract/notes.ts'
import { unsentNotesPrefix } from '../../../shared/recordings/tab-data.ts'
import { createUnsentList } from '../../../shared/recordings/unsent-store.ts'
import type { EditableNote } from './editable-note.ts'

/** A new note, bookmark or flag that the server does not have. */
const UnsentNote = z.object({
  key: z.string(),
  time: z.number(),
  text: z.string(),
  line: FlaggedLine.optional(),
  created_at: z.string(),
})
type UnsentNote = z.infer<typeof UnsentNote>

/** By recording. */
const unsentNotes = createUnsentList(unsentNotesPrefix, UnsentNote)
type Owner = Parameters<typeof unsentNotes.list>[0]

/** Keeps a new note, as it is now, until it is sent. */
export function keepUnsent(owner: Owner, { key, time, text, line, created_at }: EditableNote): void {
  const note = { key, time, text, ...(line && { line }), created_at }
  unsentNotes.update(owner, (kept) => [...kept.filter((each) => each.key !== key), note])
}

/** Forgets a note that the server has, or that was removed. */
export function forgetUnsent(owner: Owner, key: string): void {
  unsentNotes.update(owner, (kept) => kept.filter((each) => each.key !== key))
}

/** Returns the notes that an earlier page of this tab could not send. One that arrived, without an answer, is forgotten. */
export function listUnsent(owner: Owner, stored: readonly Note[]): EditableNote[] {
  unsentNotes.update(owner, (kept) => kept.filter((note) => !stored.some((each) => isSame(each, note))))
  return unsentNotes.list(owner).map(({ line, ...note }) => ({
    ...note,
    id: note.key,
    ...(line && { line }),
    updated_at: note.created_at,
    saveState: 'saving',
    isNew: true,
  }))
}

/** The server rounds times to milliseconds. */
function isSame(stored: Note, { time, text, line }: UnsentNote): boolean {
  return Math.abs(stored.time - time) < 0.001 && stored.text === text && stored.line?.text === line?.text
}
