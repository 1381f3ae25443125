import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { useDesk } from '../state/desk-context.ts'
import { latinKey } from '../../../shared/latin-key.ts'
import { announcementAtom } from '../state/announce.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import classes from './edit-notices.module.css'
import type { EditSaveState, LineEditing } from '../state/line-editing.ts'

/** Ctrl-Z undoes a change, Ctrl-Shift-Z and Ctrl-Y redo it; in text fields these keys belong to the browser. */
function useUndoKeys(editing: Pick<LineEditing, 'undo' | 'redo'>): void {
  const latest = useRef(editing)
  useEffect(() => {
    latest.current = editing
  })
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.altKey || !(event.ctrlKey || event.metaKey) || isTextField(event.target)) return
      const key = latinKey(event)
      const isRedo = (key === 'z' && event.shiftKey) || (key === 'y' && !event.shiftKey)
      if (key !== 'z' && !isRedo) return
      event.preventDefault()
      if (isRedo) latest.current.redo()
      else latest.current.undo()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('textarea, input:not([type="range"], [type="checkbox"], [type="radio"])') !== null)
  )
}

/** The save state of changes to lines, undo and redo, and the dialog about lines that were also changed elsewhere. */
export function EditNotices() {
  const { editing } = useDesk()
  const { state, undoLabel, redoLabel, undo, redo } = editing
  useUndoKeys(editing)
  return (
    <Group gap={2} wrap="nowrap" flex="0 1 auto" miw={60} role="group" aria-label={t('Changes')}>
      <IconButton
        className={classes.button}
        label={undoLabel === undefined ? t('Undo') : t('Undo: {undoLabel}', { undoLabel })}
        disabled={undoLabel === undefined}
        onClick={undo}
      >
        <IconArrowBackUp size={18} stroke={1.5} />
      </IconButton>
      <IconButton
        className={classes.button}
        label={redoLabel === undefined ? t('Redo') : t('Redo: {redoLabel}', { redoLabel })}
        disabled={redoLabel === undefined}
        onClick={redo}
      >
        <IconArrowForwardUp size={18} stroke={1.5} />
      </IconButton>
      <SaveStatus state={state} />
      <Announcements />
    </Group>
  )
}

function SaveStatus({ state }: { state: EditSaveState }) {
  const { editing } = useDesk()
  if (state.status === 'failed') {
    return (
      <Banner sentence={t('Could not be saved. {message}', { message: state.message })}>
        <Button size="compact-sm" variant="default" onClick={editing.retry}>
          {t('Retry')}
        </Button>
      </Banner>
    )
  }
  if (state.status === 'conflict') return <ConflictNotice conflicts={state.conflicts} />
  const isTold = state.status === 'saving' || editing.undoLabel !== undefined || editing.redoLabel !== undefined
  return (
    <Text span c="dimmed" className={classes.status}>
      {isTold && (state.status === 'saving' ? t('Saving…') : t('Saved'))}
    </Text>
  )
}

/** Reports lines that were changed elsewhere. The dialog opens by itself unless the user is typing. */
function ConflictNotice({ conflicts }: Pick<Extract<EditSaveState, { status: 'conflict' }>, 'conflicts'>) {
  const { editing } = useDesk()
  const [isOpen, setIsOpen] = useState(editing.editedLineId === null)
  const sentence = t(
    '{count, plural, one {A line that you changed was changed elsewhere too.} other {# lines that you changed were changed elsewhere too.}}',
    { count: conflicts.length },
  )
  return (
    <>
      <Banner sentence={sentence}>
        <Button size="compact-sm" variant="default" onClick={() => setIsOpen(true)}>
          {t('Compare')}
        </Button>
      </Banner>
      <ConflictDialog conflicts={conflicts} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}

function Banner({ sentence, children }: { sentence: string; children: ReactNode }) {
  return (
    <div className={classes.banner}>
      <Text span size="sm" role="alert">
        {sentence}
      </Text>
      {children}
    </div>
  )
}

function Announcements() {
  const announcement = useAtomValue(announcementAtom)
  return (
    <VisuallyHidden component="span" aria-live="polite">
      {announcement?.text}
    </VisuallyHidden>
  )
}
