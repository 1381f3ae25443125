import { Alert, Button, Modal, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { passkeys } from '#contract/endpoints/passkeys.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { describeAgent } from '../../shared/user-agent.ts'
import { Form } from '../../shared/ui/form.tsx'
import { ConfirmPassword } from './confirm-password.tsx'
import { useRefreshPasskeys } from './passkeys-query.ts'

interface AddDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Names a new passkey, and lets the browser create it. */
export function AddPasskeyDialog({ isOpen, onClose }: AddDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Add a passkey')}>
      <AddForm onClose={onClose} />
    </Modal>
  )
}

/** Asks for the password only if the last confirmation is too old. */
function AddForm({ onClose }: Pick<AddDialogProps, 'onClose'>) {
  const refresh = useRefreshPasskeys()
  const add = useMutation({
    mutationFn: async (name: string) => (await import('./passkeys-ceremony.ts')).addPasskey(name),
    onSuccess: async () => {
      toastSuccess(t('Passkey added'))
      onClose()
      await refresh()
    },
  })
  const { form, submit } = useMutationForm({
    initialValues: { name: describeAgent(navigator.userAgent) },
    validate: (values) => validateInput(passkeys.rename.body, values),
    send: async ({ name }) => add.mutate(name),
  })

  if (add.error instanceof ApiError) {
    return (
      <ConfirmPassword
        confirmLabel={t('Continue')}
        onConfirmed={() => add.mutate(form.values.name)}
        onCancel={add.reset}
      />
    )
  }
  return (
    <Form onSubmit={submit}>
      <Text>
        {t(
          'Your browser asks next where to keep the passkey, and for your finger, face or PIN. Your other sessions end.',
        )}
      </Text>
      {add.error && (
        <Alert role="alert" color="red">
          {add.error.message}
        </Alert>
      )}
      <TextInput
        label={t('Name')}
        description={t('By which you recognize the device')}
        data-autofocus
        maxLength={60}
        {...form.getInputProps('name')}
      />
      <DialogActions onCancel={onClose} mt={20}>
        <Button type="submit" loading={add.isPending}>
          {t('Create passkey')}
        </Button>
      </DialogActions>
    </Form>
  )
}
