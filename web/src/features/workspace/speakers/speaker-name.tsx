import { TextInput } from '@mantine/core'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { maxNameCharacters } from '#contract/speaker-corrections.ts'
import { PersonName } from './person-name.tsx'
import classes from './speaker-name.module.css'
import type { Voice } from './voices.ts'

interface SpeakerNameProps {
  voice: Voice
  isEditing: boolean
  onEdit: () => void
  onCancel: () => void
  onSave: (name: string) => void
}

/** A speaker's name, changed where it stands: Enter or leaving the field saves, Escape does not. */
export function SpeakerName({ voice, isEditing, onEdit, onCancel, onSave }: SpeakerNameProps) {
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    // Only where the field, which is gone, had the focus: whoever clicked elsewhere stays there.
    if (wasEditing.current && !isEditing && document.activeElement === document.body) button.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  if (isEditing) return <NameField voice={voice} onCancel={onCancel} onSave={onSave} />
  return (
    <button
      ref={button}
      type="button"
      className={classes.name}
      aria-label={`Rename ${voice.name}`}
      title={voice.name}
      onClick={onEdit}
    >
      <span className={classes.text}>
        <PersonName>{voice.name}</PersonName>
      </span>
      <IconPencil className={classes.pencil} size={15} stroke={1.5} aria-hidden />
    </button>
  )
}

function NameField({ voice, onCancel, onSave }: Pick<SpeakerNameProps, 'voice' | 'onCancel' | 'onSave'>) {
  const before = voice.isNameGiven ? voice.name : ''
  const [name, setName] = useState(before)
  const isLeaving = useRef(false)

  function leave(save: boolean) {
    // Removing the field from the page blurs it too.
    if (isLeaving.current) return
    isLeaving.current = true
    if (save && name.trim() && name.trim() !== before) onSave(name)
    else onCancel()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    leave(event.key === 'Enter')
  }

  return (
    <TextInput
      className={classes.field}
      aria-label={`Name of ${voice.name}`}
      placeholder={voice.name}
      size="xs"
      dir="auto"
      maxLength={maxNameCharacters}
      value={name}
      // The reader has just asked for the field.
      data-autofocus
      ref={focusAndSelect}
      onChange={(event) => setName(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => leave(true)}
    />
  )
}

function focusAndSelect(field: HTMLInputElement | null) {
  field?.focus()
  field?.select()
}
