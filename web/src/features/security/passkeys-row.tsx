import { Badge, Box, Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { passkeys, type Passkey } from '#contract/endpoints/passkeys.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { formatAgo, formatDate } from '../../shared/format.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ConfirmPassword } from './confirm-password.tsx'
import classes from './passkeys.module.css'
import { useRefreshPasskeys } from './passkeys-query.ts'
import common from '../../shared/ui/common.module.css'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { ListRow } from '../../shared/ui/list-row.tsx'

interface PasskeyProps {
  passkey: Passkey
}

/** A passkey of the list, which can be renamed and removed. */
export function PasskeyRow({ passkey }: PasskeyProps) {
  const [isRenaming, renaming] = useDisclosure(false)
  const [isRemoving, removing] = useDisclosure(false)
  const { name, created_at: createdAt, last_used_at: usedAt, is_synced: isSynced } = passkey
  const facts = [
    t('Added {date}', { date: formatDate(createdAt) }),
    usedAt ? t('last used {ago}', { ago: formatAgo(usedAt) }) : t('never used'),
    ...(isSynced ? [t('copied between your devices')] : []),
  ]
  return (
    <ListRow className={common.lineAbove}>
      <Box miw={0} className={common.wrap}>
        <Text component="div" fw={560} className={classes.name}>
          <Isolated>{name}</Isolated>
          {isSynced && <Badge variant="light">{t('Synced')}</Badge>}
        </Text>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      </Box>
      <Group gap="xs" align="stretch">
        <Button variant="default" size="compact-sm" onClick={renaming.open} aria-label={t('Rename {name}', { name })}>
          {t('Rename')}
        </Button>
        <Button variant="default" size="compact-sm" onClick={removing.open} aria-label={t('Remove {name}', { name })}>
          {t('Remove')}
        </Button>
      </Group>
      <Modal opened={isRenaming} onClose={renaming.close} title={t('Rename passkey')}>
        <RenameForm passkey={passkey} onClose={renaming.close} />
      </Modal>
      <Modal opened={isRemoving} onClose={removing.close} title={t('Remove passkey')}>
        <RemoveForm passkey={passkey} onClose={removing.close} />
      </Modal>
    </ListRow>
  )
}

function RenameForm({ passkey, onClose }: PasskeyProps & { onClose: () => void }) {
  const refresh = useRefreshPasskeys()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { name: passkey.name },
    validate: (values) => validateInput(passkeys.rename.body, values),
    send: (body) => call(passkeys.rename, { params: { id: passkey.id }, body }),
    onSuccess: async () => {
      toastSuccess(t('Passkey renamed'))
      onClose()
      await refresh()
    },
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })
  return (
    <Form onSubmit={submit}>
      <TextInput label={t('Name')} data-autofocus maxLength={60} {...form.getInputProps('name')} />
      <DialogActions onCancel={onClose} mt={20}>
        <Button type="submit" loading={isBusy}>
          {t('Rename')}
        </Button>
      </DialogActions>
    </Form>
  )
}

function RemoveForm({ passkey, onClose }: PasskeyProps & { onClose: () => void }) {
  const refresh = useRefreshPasskeys()
  const remove = useMutation({
    mutationFn: () => call(passkeys.remove, { params: { id: passkey.id } }),
    onSuccess: async () => {
      toastSuccess(t('Passkey removed'))
      onClose()
      await refresh()
    },
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })
  return (
    <ConfirmPassword confirmLabel={t('Remove')} isDangerous onConfirmed={() => remove.mutate()} onCancel={onClose}>
      {rich(
        '{name} will no longer sign you in, and your other sessions end. Delete it in your device or password manager too, which goes on offering it.',
        { name: <Isolated>{passkey.name}</Isolated> },
      )}
    </ConfirmPassword>
  )
}
