import { atom, useSetAtom } from '../../../shared/jotai.ts'
import { useDesk } from '../desk/desk-context.ts'
import { announceReadOnly, usePermissions } from '../desk/permissions.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { useNotes } from './use-notes.ts'

/** The key of the note whose text is to be focused; null for none. The desk opens the tab Notes when it is set. */
export const focusedNoteAtom = atom<string | null>(null)

/** Reads the playhead when it is called, so that nothing renders with it. */
const addNoteAtom = atom(null, (get, set, add: (time: number) => string, time: number | undefined) => {
  set(focusedNoteAtom, add(time ?? get(playerTimeAtom)))
})

/** Returns a function that adds a note at a time, or at the playhead, and focuses its text; for a reader it tells why it does not. */
export function useAddNote(): (time?: number) => void {
  const { recording } = useDesk()
  const { add } = useNotes(recording.id)
  const { canEdit } = usePermissions()
  const addAndFocus = useSetAtom(addNoteAtom)
  return (time) => (canEdit ? addAndFocus(add, time) : announceReadOnly())
}
