import { Button, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { Recording } from '#contract/entities/recording.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { useRenameRecording } from '../../shared/recordings/recordings.ts'
import { toastError } from '../../shared/toast.tsx'
import classes from './dashboard.module.css'

/** Another name for a recording. */
export function RenameForm({ recording, onClose }: { recording: Recording; onClose: () => void }) {
  const [name, setName] = useState(recording.name)
  const rename = useRenameRecording()

  function submit(event: FormEvent) {
    event.preventDefault()
    rename.mutate(
      { id: recording.id, name },
      {
        onSuccess: onClose,
        onError: (error) => toastError(messageOf(error, 'Network error. Please try again.')),
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        dir="auto"
        data-autofocus
        maxLength={255}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={rename.isPending} disabled={!name.trim() || name === recording.name}>
          Rename
        </Button>
      </div>
    </form>
  )
}
