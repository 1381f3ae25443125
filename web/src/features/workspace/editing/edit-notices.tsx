import { Button, Text } from '@mantine/core'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import { useState } from 'react'
import { useAtomValue } from '../../../shared/jotai.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useDesk } from '../desk/desk-context.ts'
import { announcementAtom } from './announce.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import classes from './edit-notices.module.css'
import type { EditSaveState } from './line-editing.ts'
import { useUndoKeys } from './use-undo-keys.ts'

/** Whether changes to lines are saved, undo and redo, and the dialog about lines that were changed elsewhere too. */
export function EditNotices() {
  const { editing } = useDesk()
  const { state, undoLabel, redoLabel, undo, redo } = editing
  useUndoKeys(editing)
  return (
    <div className={classes.notices} role="group" aria-label="Changes">
      <IconButton
        label={undoLabel === undefined ? 'Undo' : `Undo: ${undoLabel}`}
        disabled={undoLabel === undefined}
        onClick={undo}
      >
        <IconArrowBackUp size={18} stroke={1.5} />
      </IconButton>
      <IconButton
        label={redoLabel === undefined ? 'Redo' : `Redo: ${redoLabel}`}
        disabled={redoLabel === undefined}
        onClick={redo}
      >
        <IconArrowForwardUp size={18} stroke={1.5} />
      </IconButton>
      <SaveStatus state={state} />
      <Announcements />
    </div>
  )
}

function SaveStatus({ state }: { state: EditSaveState }) {
  const { editing } = useDesk()
  if (state.status === 'failed') {
    return (
      <span className={classes.failure}>
        <Text span size="sm" role="alert" className={classes.sentence}>
          Could not be saved. {state.message}
        </Text>
        <Button size="compact-sm" variant="default" onClick={editing.retry}>
          Retry
        </Button>
      </span>
    )
  }
  if (state.status === 'conflict') return <ConflictNotice conflicts={state.conflicts} />
  const isTold = state.status === 'saving' || editing.undoLabel !== undefined || editing.redoLabel !== undefined
  return (
    <Text span size="sm" c="dimmed" className={classes.status}>
      {isTold && (state.status === 'saving' ? 'Saving…' : 'Saved')}
    </Text>
  )
}

/** Tells of lines that were changed elsewhere. The dialog opens by itself unless somebody is typing. */
function ConflictNotice({ conflicts }: Pick<Extract<EditSaveState, { status: 'conflict' }>, 'conflicts'>) {
  const { editing } = useDesk()
  const [isOpen, setIsOpen] = useState(editing.editedLineId === null)
  const count = conflicts.length
  return (
    <span className={classes.failure}>
      <Text span size="sm" role="alert" className={classes.sentence}>
        {count === 1 ? 'A line that you changed was' : `${count} lines that you changed were`} changed elsewhere too.
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
        Compare
      </Button>
      <ConflictDialog conflicts={conflicts} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </span>
  )
}

function Announcements() {
  const announcement = useAtomValue(announcementAtom)
  return (
    <span aria-live="polite" className={classes.offscreen}>
      {announcement?.text}
    </span>
  )
}
