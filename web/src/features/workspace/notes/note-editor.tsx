import { Textarea } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState, type KeyboardEvent } from 'react'
import { maxNoteCharacters } from '#contract/notes.ts'
import { t } from '#contract/texts/t.ts'
import classes from './note-editor.module.css'

/** Typing is sent once it has paused for this long. */
const saveDelayMs = 600

interface NoteEditorProps {
  label: string
  text: string
  onType: (text: string) => void
  onSave: () => void
  /** `byKey` where the focus has nowhere to go. */
  onClose: (how: { byKey: boolean }) => void
}

/** Edits the text of a note, which is saved as it is typed. Enter, Escape and leaving the field close it; Shift+Enter begins a line. */
export function NoteEditor({ label, text, onType, onSave, onClose }: NoteEditorProps) {
  // What was typed stays on screen whatever the server makes of it.
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
      // The field opens because its reader asked for it.
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
