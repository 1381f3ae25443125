import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { profile } from '#contract/endpoints/profile.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { toastError } from '../../shared/toast.tsx'
import { BackupCodes } from '../../shared/two-factor/backup-codes.tsx'
import { PasswordGate } from './confirm-password.tsx'
import classes from './security.module.css'

const queryKey = ['backup-codes-left']

/** Shows how many backup codes are left, and makes new ones. */
export function BackupCodesLeft() {
  const { data } = useQuery({ queryKey, queryFn: async () => (await call(profile.get)).backup_codes_left })
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <Group mt="md" justify="space-between">
      <Text>{data === undefined ? 'Backup codes' : `${data} backup codes left`}</Text>
      <Button variant="default" size="xs" onClick={dialog.open}>
        New backup codes
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title="New backup codes">
        <PasswordGate onCancel={dialog.close}>
          <RenewForm onDone={dialog.close} />
        </PasswordGate>
      </Modal>
    </Group>
  )
}

function RenewForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const { form, submit, isBusy, result } = useMutationForm({
    initialValues: { code: '' },
    send: ({ code }) => call(profile.renewBackupCodes, { headers: { 'X-TOTP-Token': code.trim() } }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
    onError: (error) => toastError(messageOf(error, 'Network error. Please try again.')),
  })
  if (result) {
    return (
      <div className={classes.form}>
        <BackupCodes codes={result.backup_codes} />
        <Button onClick={onDone}>Done</Button>
      </div>
    )
  }
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Text>The old codes stop working once new ones are made.</Text>
      <TextInput
        label="Authenticator code"
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        maxLength={6}
        placeholder="000000"
        {...form.getInputProps('code')}
      />
      <Button type="submit" loading={isBusy} disabled={form.values.code.trim().length !== 6}>
        Make new codes
      </Button>
    </form>
  )
}
