import { atom, useSetAtom } from '../../../shared/jotai.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { useDesk } from '../state/desk-context.ts'
import { announceReadOnly, usePermissions } from '../state/permissions.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { flagsOf } from './line-flags.ts'
import { useNotes } from './use-notes.ts'

/** The key of the note whose text should be focused; null for none. Setting it opens the Notes tab. */
export const focusedNoteAtom = atom<string | null>(null)

/** Reads the playhead only when called, so that nothing re-renders as it moves. */
const addNoteAtom = atom(null, (get, set, add: (time: number) => string, time: number | undefined) => {
  set(focusedNoteAtom, add(time ?? get(playerTimeAtom)))
})

/** Returns a function that flags a line, or opens its flag. With read-only access it announces why it does nothing. */
export function useFlagLine(): (line: ConversationLine) => void {
  const { recording } = useDesk()
  const { notes, add } = useNotes(recording.id)
  const { canEdit } = usePermissions()
  const focusNote = useSetAtom(focusedNoteAtom)
  return (line) => {
    const { segment, start, end } = line
    if (!canEdit) return announceReadOnly()
    if (!segment || line.isPartial) return
    const known = flagsOf(line, notes).at(0)
    if (known) return focusNote(known.key)
    const channel = segment.channel !== undefined && { channel: segment.channel }
    focusNote(add(start, '', { end, text: segment.text, ...channel }))
  }
}

/**
 * Returns a function that adds a note at a time, or at the playhead, and focuses its text. With read-only access it announces why it does
 * nothing.
 */
export function useAddNote(): (time?: number) => void {
  const { recording } = useDesk()
  const { add } = useNotes(recording.id)
  const { canEdit } = usePermissions()
  const addAndFocus = useSetAtom(addNoteAtom)
  return (time) => (canEdit ? addAndFocus(add, time) : announceReadOnly())
}
