import { Button, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { profile } from '#contract/endpoints/profile.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { toastError } from '../../shared/toast.tsx'
import { BackupCodes } from '../../shared/two-factor/backup-codes.tsx'
import { isOwnCode, SecondFactorCodeField } from '../../shared/two-factor/code-field.tsx'
import { PasswordGate } from './confirm-password.tsx'
import classes from './security.module.css'

const queryKey = ['backup-codes-left']

/** Shows how many backup codes are left, and makes new ones. */
export function BackupCodesLeft() {
  const { data } = useQuery({ queryKey, queryFn: async () => (await call(profile.get)).backup_codes_left })
  const [isOpen, dialog] = useDisclosure(false)
  const isPrinted = useUser().printed_codes_left !== null
  const renewLabel = isPrinted ? 'New printed list' : 'New backup codes'
  return (
    <Group mt="md" justify="space-between">
      <Text>{data === undefined ? 'Backup codes' : `${data} ${isPrinted ? 'printed' : 'backup'} codes left`}</Text>
      <Button variant="default" size="xs" onClick={dialog.open}>
        {renewLabel}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={renewLabel}>
        <PasswordGate onCancel={dialog.close}>
          <RenewForm onDone={dialog.close} />
        </PasswordGate>
      </Modal>
    </Group>
  )
}

function RenewForm({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const user = useUser()
  const session = useSessionActions()
  const { form, submit, isBusy, result } = useMutationForm({
    initialValues: { code: '' },
    send: ({ code }) => call(profile.renewBackupCodes, { headers: { 'X-TOTP-Token': code.trim() } }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
    onError: (error) => toastError(messageOf(error, 'Network error. Please try again.')),
  })
  /** The number of printed codes that are left is part of the user; reloading it earlier could close the dialog. */
  function finish() {
    onDone()
    void session.reload()
  }

  if (result) {
    return (
      <div className={classes.form}>
        <BackupCodes codes={result.backup_codes} />
        <Button onClick={finish}>Done</Button>
      </div>
    )
  }
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Text>The old codes stop working once new ones are made.</Text>
      <SecondFactorCodeField data-autofocus {...form.getInputProps('code')} />
      <Button type="submit" loading={isBusy} disabled={!isOwnCode(user, form.values.code)}>
        Make new codes
      </Button>
    </form>
  )
}
