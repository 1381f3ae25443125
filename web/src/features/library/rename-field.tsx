import { useRef, useState, type KeyboardEvent } from 'react'
import type { LibraryRecording } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { useRenameRecording } from '../../shared/recordings/recordings.ts'
import { toastError } from '../../shared/toast.tsx'
import { useRowActions } from './library-context.ts'
import classes from './rename-field.module.css'

/** The field for renaming a recording: Enter and leaving the field save, Escape discards. */
export function RenameField({ recording: { id, name } }: { recording: LibraryRecording }) {
  const { endRename } = useRowActions()
  const rename = useRenameRecording()
  const [typed, setTyped] = useState(name)
  // Leaving the field after Enter or Escape must not save again.
  const isOver = useRef(false)

  function end(isSaved: boolean) {
    if (isOver.current) return
    isOver.current = true
    const wanted = typed.trim()
    if (isSaved && wanted && wanted !== name) {
      const onError = (error: unknown) => toastError(messageOf(error, t('Network error. Please try again.')))
      rename.mutate({ id, name: wanted }, { onError })
    }
    endRename()
  }

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    end(event.key === 'Enter')
  }

  return (
    <input
      className={classes.field}
      aria-label={t('New name of {name}', { name })}
      dir="auto"
      maxLength={255}
      autoFocus
      value={typed}
      onFocus={(event) => selectStem(event.currentTarget)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(true)}
    />
  )
}

/** Selects the name without its extension. */
function selectStem(field: HTMLInputElement): void {
  const dot = field.value.lastIndexOf('.')
  field.setSelectionRange(0, dot > 0 ? dot : field.value.length)
}
