import { Button, TextInput } from '@mantine/core'
import type { Recording } from '#contract/entities/recording.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useRenameRecording } from '../../shared/recordings/recordings.ts'
import { toastError } from '../../shared/toast.tsx'
import classes from './dashboard.module.css'

/** Renames a recording. */
export function RenameForm({ recording, onClose }: { recording: Recording; onClose: () => void }) {
  const rename = useRenameRecording()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { name: recording.name },
    send: ({ name }) => rename.mutateAsync({ id: recording.id, name }),
    onSuccess: onClose,
    onError: (error) => toastError(messageOf(error, 'Network error. Please try again.')),
  })
  const { name } = form.values

  return (
    <form onSubmit={submit} noValidate>
      <TextInput label="Name" dir="auto" data-autofocus maxLength={255} {...form.getInputProps('name')} />
      <div className={classes.dialogActions}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy} disabled={!name.trim() || name === recording.name}>
          Rename
        </Button>
      </div>
    </form>
  )
}
