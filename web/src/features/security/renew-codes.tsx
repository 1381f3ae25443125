import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import { isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { toastError } from '../../shared/toast.tsx'
import { BackupCodes } from '../../shared/two-factor/backup-codes.tsx'
import { PasswordGate } from './confirm-password.tsx'
import classes from './security.module.css'

const queryKey = ['backup-codes-left']

/** How many backup codes are left, and getting new ones. */
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
  const [code, setCode] = useState('')
  const renew = useMutation({
    mutationFn: () => call(profile.renewBackupCodes, { headers: { 'X-TOTP-Token': code.trim() } }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
    onError: (error) => {
      if (!isSessionExpired(error)) toastError(messageOf(error, 'Network error. Please try again.'))
    },
  })
  if (renew.data) {
    return (
      <div className={classes.form}>
        <BackupCodes codes={renew.data.backup_codes} />
        <Button onClick={onDone}>Done</Button>
      </div>
    )
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    renew.mutate()
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
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" loading={renew.isPending} disabled={code.trim().length !== 6}>
        Make new codes
      </Button>
    </form>
  )
}
