import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { atom, useAtom, useSetAtom } from '../../../shared/jotai.ts'
import { toastError } from '../../../shared/toast.tsx'
import { toastUndo } from '../../../shared/action-toast.tsx'
import { messageOf } from '../../../shared/api/api-error.ts'
import { useDesk } from '../state/desk-context.ts'
import { VirtualList } from '../panel/virtual-list.tsx'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { focusedNoteAtom } from './add-note.ts'
import { NoteRow } from './note-row.tsx'
import type { EditableNote } from './editable-note.ts'
import { useNotes } from './use-notes.ts'

const estimatedRowPx = 64

/** Reads the playhead when it is called, so that nothing renders with it. */
const readTimeAtom = atom(null, (get) => get(playerTimeAtom))

/** Notes by time: each is edited in place, moved to the playhead, and deleted. */
export function NoteList() {
  const { recording } = useDesk()
  const { notes, add, change, save, remove } = useNotes(recording.id)
  const [editedKey, setEditedKey] = useAtom(focusedNoteAtom)
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const readTime = useSetAtom(readTimeAtom)
  const player = usePlayer()
  const shownKey = editedKey ?? activeKey
  const activeIndex = Math.max(
    0,
    notes.findIndex(({ key }) => key === shownKey),
  )

  function go(note: EditableNote) {
    setActiveKey(note.key)
    player.seek(note.time)
  }

  function closeEditor(note: EditableNote) {
    setActiveKey(note.key)
    setEditedKey(null)
  }

  async function removeNote(note: EditableNote) {
    try {
      await remove(note)
      toastUndo(describeRemoval(note), () => add(note.time, note.text, note.line))
    } catch (error) {
      toastError(messageOf(error, t('The note could not be deleted. Check your connection and try again.')))
    }
  }

  return (
    <VirtualList
      label={t('Notes')}
      items={notes}
      keyOf={({ key }) => key}
      activeIndex={activeIndex}
      isFollowing={shownKey !== null}
      estimatedRowPx={estimatedRowPx}
      onActivate={(index) => setActiveKey(notes[index]?.key ?? null)}
      renderItem={(note, index) => (
        <NoteRow
          note={note}
          isTabStop={index === activeIndex}
          isEdited={note.key === editedKey}
          onGo={() => go(note)}
          onEdit={() => setEditedKey(note.key)}
          onType={(text) => change(note.key, { text })}
          onSave={() => save(note.key)}
          onClose={() => closeEditor(note)}
          onMove={() => {
            change(note.key, { time: readTime() })
            save(note.key)
          }}
          onRemove={() => void removeNote(note)}
        />
      )}
    />
  )
}

function describeRemoval({ text, line }: EditableNote): string {
  if (line) return t('Flag deleted')
  return text ? t('Note deleted') : t('Bookmark deleted')
}
