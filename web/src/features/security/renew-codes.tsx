import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { toastError } from '../../shared/toast.tsx'
import { BackupCodes } from '../../shared/two-factor/backup-codes.tsx'
import { isOwnCode, SecondFactorCodeField } from '../../shared/two-factor/code-field.tsx'
import { twoFactorCodeHeader } from '../../shared/two-factor/two-factor-code-header.ts'
import { PrintedCodes } from '../../shared/two-factor/printed-codes.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { PasswordGate } from './confirm-password.tsx'

const queryKey = ['backup-codes-left']

/** Shows how many backup codes are left, and creates new ones. They are shown only once, so only "Done" removes them from the screen. */
export function BackupCodesLeft() {
  const { data } = useQuery({ queryKey, queryFn: async () => (await call(profile.get)).backup_codes_left })
  const session = useSessionActions()
  const [isOpen, dialog] = useDisclosure(false)
  const [isRenewed, setIsRenewed] = useState(false)
  const isPrinted = useUser().printed_codes_left !== null
  const renewLabel = isPrinted ? t('New printed list') : t('New backup codes')

  /** Reloads the user, which includes the number of printed codes left, only now, so that the new codes stay visible until then. */
  function close() {
    dialog.close()
    if (isRenewed) void session.reload()
    setIsRenewed(false)
  }

  return (
    <Group mt="md" justify="space-between">
      <Text>{describeLeft(data, isPrinted)}</Text>
      <Button variant="default" size="xs" onClick={dialog.open}>
        {renewLabel}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={renewLabel}
        closeOnClickOutside={!isRenewed}
        closeOnEscape={!isRenewed}
        withCloseButton={!isRenewed}
      >
        <PasswordGate onCancel={close}>
          <RenewForm onRenewed={() => setIsRenewed(true)} onDone={close} />
        </PasswordGate>
      </Modal>
    </Group>
  )
}

function describeLeft(count: number | undefined, isPrinted: boolean): string {
  if (count === undefined) return t('Backup codes')
  return isPrinted
    ? t('{count, plural, other {# printed codes left}}', { count })
    : t('{count, plural, other {# backup codes left}}', { count })
}

function RenewForm({ onRenewed, onDone }: { onRenewed: () => void; onDone: () => void }) {
  const client = useQueryClient()
  const user = useUser()
  const { form, submit, isBusy, result } = useMutationForm({
    initialValues: { code: '' },
    send: ({ code }) => call(profile.renewBackupCodes, { headers: twoFactorCodeHeader(code) }),
    onSuccess: () => {
      onRenewed()
      return client.invalidateQueries({ queryKey })
    },
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })
  if (result) {
    return (
      <Stack>
        {user.printed_codes_left === null ? (
          <BackupCodes codes={result.backup_codes} />
        ) : (
          <PrintedCodes codes={result.backup_codes} />
        )}
        <Button onClick={onDone}>{t('Done')}</Button>
      </Stack>
    )
  }
  return (
    <Form onSubmit={submit}>
      <Text>{t('The old codes stop working once new ones are made.')}</Text>
      <SecondFactorCodeField data-autofocus {...form.getInputProps('code')} />
      <Button type="submit" loading={isBusy} disabled={!isOwnCode(user, form.values.code)}>
        {t('Make new codes')}
      </Button>
    </Form>
  )
}
