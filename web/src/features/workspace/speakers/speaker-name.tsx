import { Text, TextInput } from '@mantine/core'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import { maxNameCharacters } from '#contract/speaker-corrections.ts'
import { t } from '#contract/texts/t.ts'
import { usePermissions } from '../state/permissions.ts'
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

/** A speaker's name, edited in place: Enter or leaving the field saves, Escape does not. */
export function SpeakerName({ voice, isEditing, onEdit, onCancel, onSave }: SpeakerNameProps) {
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    // Only if the removed field had the focus; after a click elsewhere the focus stays there.
    if (wasEditing.current && !isEditing && document.activeElement === document.body) button.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  const { canEdit } = usePermissions()
  if (!canEdit) {
    return (
      <Text span inherit truncate title={isolateName(voice.name)}>
        <PersonName isCut>{voice.name}</PersonName>
      </Text>
    )
  }
  if (isEditing) return <NameField voice={voice} onCancel={onCancel} onSave={onSave} />
  return (
    <button
      ref={button}
      type="button"
      className={classes.name}
      aria-label={t('Rename {name}', { name: voice.name })}
      title={isolateName(voice.name)}
      onClick={onEdit}
    >
      <Text span inherit truncate>
        <PersonName isCut>{voice.name}</PersonName>
      </Text>
      <IconPencil className={classes.pencil} size={15} stroke={1.5} aria-hidden />
    </button>
  )
}

function NameField({ voice, onCancel, onSave }: Pick<SpeakerNameProps, 'voice' | 'onCancel' | 'onSave'>) {
  const initialName = voice.isNameGiven ? voice.name : ''
  const [name, setName] = useState(initialName)
  const isClosing = useRef(false)

  function close({ isSaved }: { isSaved: boolean }) {
    // Removing the field from the page blurs it too.
    if (isClosing.current) return
    isClosing.current = true
    if (isSaved && name.trim() && name.trim() !== initialName) onSave(name)
    else onCancel()
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close({ isSaved: event.key === 'Enter' })
  }

  return (
    <TextInput
      flex="1 1 8rem"
      miw={0}
      aria-label={t('Name of {name}', { name: voice.name })}
      placeholder={isolateName(voice.name)}
      size="xs"
      maxLength={maxNameCharacters}
      value={name}
      data-autofocus
      ref={focusAndSelect}
      onChange={(event) => setName(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => close({ isSaved: true })}
    />
  )
}

function focusAndSelect(field: HTMLInputElement | null) {
  field?.focus()
  field?.select()
}
