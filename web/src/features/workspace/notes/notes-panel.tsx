import { Button, Text } from '@mantine/core'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { atom, useAtom, useSetAtom } from '../../../shared/jotai.ts'
import { toastError } from '../../../shared/toast.tsx'
import { toastUndo } from '../../../shared/action-toast.tsx'
import { messageOf } from '../../../shared/api/api-error.ts'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { VirtualList } from '../panel/virtual-list.tsx'
import { usePlayer } from '../player/player-context.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import { useAddNote, focusedNoteAtom } from './add-note.ts'
import { useNotes } from './use-notes.ts'
import { NoteRow } from './note-row.tsx'
import type { EditableNote } from './editable-note.ts'

const estimatedRowPx = 64

/** The notes and bookmarks of the recording on screen, by time. */
export function NotesPanel() {
  const { recording } = useDesk()
  const { notes, isPending, isError, reload } = useNotes(recording.id)
  const addNote = useAddNote()
  const { canEdit } = usePermissions()
  const isMissing = isError && notes.length === 0
  return (
    <Panel
      title={t('Notes')}
      icon={<IconBookmark size={20} stroke={1.5} aria-hidden />}
      isFlush
      isFilling
      actions={
        canEdit && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.75} />}
            onClick={() => addNote()}
            aria-keyshortcuts="B"
          >
            {t('Add note')}
          </Button>
        )
      }
    >
      {isMissing && <ErrorNotice message={t('The notes could not be loaded.')} onRetry={reload} />}
      {notes.length > 0 && <NoteList />}
      {notes.length === 0 && !isPending && !isMissing && (
        <Text py={32} px="md" c="dimmed" fz="sm" ta="center">
          {canEdit
            ? t(
                'Press B to add a note where the recording plays, or at the line that you are on. A note without text is a bookmark. G flags a line.',
              )
            : t('Nobody has written a note yet.')}
        </Text>
      )}
    </Panel>
  )
}

/** Reads the playhead on demand, so that nothing renders with it. */
const readTimeAtom = atom(null, (get) => get(playerTimeAtom))

/** Notes by time; each can be edited in place, moved to the playhead, and deleted. */
function NoteList() {
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
