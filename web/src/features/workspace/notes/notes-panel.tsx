import { Button, Text } from '@mantine/core'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { t } from '#contract/texts/t.ts'
import { ErrorNotice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { useAddNote } from './add-note.ts'
import { NoteList } from './note-list.tsx'
import { useNotes } from './use-notes.ts'

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
