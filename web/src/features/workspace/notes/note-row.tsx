import { Box, Button, Group, Text, UnstyledButton, Textarea } from '@mantine/core'
import IconBookmark from '@tabler/icons-react/dist/esm/icons/IconBookmark.mjs'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useDebouncedCallback } from '@mantine/hooks'
import { t } from '#contract/texts/t.ts'
import { maxNoteCharacters } from '#contract/notes.ts'
import { formatClock } from '../../../shared/format.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { usePermissions } from '../state/permissions.ts'
import classes from './note-row.module.css'
import type { EditableNote } from './editable-note.ts'

interface NoteRowProps {
  note: EditableNote
  isTabStop: boolean
  isEdited: boolean
  onGo: () => void
  onEdit: () => void
  onType: (text: string) => void
  onSave: () => void
  onClose: () => void
  onMove: () => void
  onRemove: () => void
}

/** Typed text is sent after a pause of this length. */
const saveDelayMs = 600

interface NoteEditorProps {
  label: string
  text: string
  onType: (text: string) => void
  onSave: () => void
  /** `byKey` is true if the focus has nowhere else to go. */
  onClose: (how: { byKey: boolean }) => void
}

/** A note: its time, which seeks, its text, which is edited in place, and its other actions. */
export function NoteRow(props: NoteRowProps) {
  const { note, isTabStop, isEdited, onGo, onEdit, onType, onSave, onClose, onMove, onRemove } = props
  const { text, time, line, saveState, error } = note
  const { canEdit } = usePermissions()
  const clock = formatClock(time)
  const editLabel = line ? t('Edit the flag') : t('Edit the note')
  const tabIndex = isTabStop ? 0 : -1
  const textButton = useRef<HTMLButtonElement>(null)
  const takesFocus = useRef(false)
  useEffect(() => {
    if (isEdited || !takesFocus.current) return
    takesFocus.current = false
    textButton.current?.focus()
  }, [isEdited])

  function close({ byKey }: { byKey: boolean }) {
    takesFocus.current = byKey
    onClose()
  }
  return (
    <div className={classes.row}>
      <UnstyledButton
        className={classes.time}
        tabIndex={tabIndex}
        aria-label={t('Go to {clock}', { clock })}
        onClick={onGo}
      >
        {clock}
        {line && <IconFlag size={14} stroke={1.75} className={classes.flag} aria-label={t('Flag')} />}
      </UnstyledButton>
      <Box miw={0}>
        {isEdited ? (
          <NoteEditor
            label={line ? t('Flag at {clock}', { clock }) : t('Note at {clock}', { clock })}
            text={text}
            onType={onType}
            onSave={onSave}
            onClose={close}
          />
        ) : (
          <UnstyledButton
            ref={textButton}
            className={classes.text}
            tabIndex={tabIndex}
            onClick={canEdit ? onEdit : onGo}
            title={canEdit ? editLabel : undefined}
          >
            {text ? (
              <DirectionalText as="span" language={null} className={classes.words}>
                {text}
              </DirectionalText>
            ) : (
              <Group component="span" gap={6} wrap="nowrap" display="inline-flex" c="dimmed">
                {line ? null : <IconBookmark size={16} stroke={1.5} aria-hidden />} {line ? t('Flag') : t('Bookmark')}
              </Group>
            )}
          </UnstyledButton>
        )}
        {line && (
          <DirectionalText as="span" language={null} className={classes.quote}>
            {line.text}
          </DirectionalText>
        )}
        {saveState === 'failed' && (
          <Group gap="0.25rem 0.5rem" py={4} role="alert">
            <Text size="sm" c="var(--mantine-color-error)">
              {error}
            </Text>
            <Button size="compact-xs" variant="default" onClick={onSave}>
              {t('Try again')}
            </Button>
          </Group>
        )}
      </Box>
      {canEdit && (
        <Group component="span" gap={0} align="stretch" wrap="nowrap">
          {!line && (
            <IconButton label={t('Set the time to the playhead')} tabIndex={tabIndex} onClick={onMove}>
              <IconMapPin size={16} stroke={1.5} />
            </IconButton>
          )}
          <IconButton
            label={line ? t('Delete the flag at {clock}', { clock }) : t('Delete the note at {clock}', { clock })}
            tabIndex={tabIndex}
            onClick={onRemove}
          >
            <IconTrash size={16} stroke={1.5} />
          </IconButton>
        </Group>
      )}
      <Text className={classes.state} size="xs" c="dimmed" aria-live="polite">
        {saveState === 'saving' && t('Saving…')}
      </Text>
    </div>
  )
}

/** Edits the text of a note, saving while typing. Enter, Escape and leaving the field close it; Shift+Enter starts a new line. */
function NoteEditor({ label, text, onType, onSave, onClose }: NoteEditorProps) {
  // The typed text stays on screen, whatever the server returns.
  const [typed, setTyped] = useState(text)
  const saveSoon = useDebouncedCallback(onSave, { delay: saveDelayMs, flushOnUnmount: true })

  function onKeyDown(event: KeyboardEvent) {
    const isEnd = event.key === 'Escape' || (event.key === 'Enter' && !event.shiftKey)
    if (!isEnd || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    onClose({ byKey: true })
  }

  return (
    <Textarea
      rows={2}
      classNames={{ input: classes.field }}
      size="sm"
      aria-label={label}
      placeholder={t('A note; empty for a bookmark')}
      maxLength={maxNoteCharacters}
      value={typed}
      // The field only opens at the reader's request.
      autoFocus
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onType(currentTarget.value)
        saveSoon()
      }}
      onKeyDown={onKeyDown}
      onBlur={() => onClose({ byKey: false })}
    />
  )
}
