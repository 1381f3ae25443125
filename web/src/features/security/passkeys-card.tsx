import { Button, Text, Badge, Box, Group, Modal, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import { useMutation } from '@tanstack/react-query'
import { t } from '#contract/texts/t.ts'
import { passkeys, type Passkey } from '#contract/endpoints/passkeys.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { formatAgo, formatDate } from '../../shared/format.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import common from '../../shared/ui/common.module.css'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { ListRow } from '../../shared/ui/list-row.tsx'
import { AddPasskeyDialog } from './passkeys-add-dialog.tsx'
import { usePasskeys, useRefreshPasskeys } from './passkeys-query.ts'
import { passkeyObstacle } from './passkeys-obstacle.ts'
import { ConfirmPassword } from './confirm-password.tsx'
import classes from './passkeys.module.css'

interface PasskeyProps {
  passkey: Passkey
}

/** The user's passkeys. Even if this browser does not support passkeys, those of other browsers can be removed. */
export function PasskeysCard() {
  const { data, isPending, isError, refetch } = usePasskeys()
  const [isAdding, adding] = useDisclosure(false)
  const obstacle = passkeyObstacle()
  return (
    <Panel
      title={t('Passkeys')}
      icon={<IconFingerprint size={20} stroke={1.5} aria-hidden />}
      isFlush
      actions={
        !obstacle && (
          <Button variant="default" size="xs" onClick={adding.open} disabled={!data}>
            {t('Add a passkey')}
          </Button>
        )
      }
    >
      <Text py="md" px={20} c="dimmed" size="sm">
        {t(
          'A passkey is a key on your device or in your password manager: it signs you in with your finger, face or PIN, and no other site can ask for it.',
        )}
      </Text>
      {obstacle && <Text p="0 1.25rem 1.25rem">{obstacle}</Text>}
      {isPending && <LoadingNotice label={t('Loading your passkeys')} />}
      {isError && <ErrorNotice message={t('Your passkeys could not be loaded.')} onRetry={() => void refetch()} />}
      {data?.length === 0 && !obstacle && <Text p="0 1.25rem 1.25rem">{t('You have no passkeys.')}</Text>}
      {data && data.length > 0 && (
        <ul>
          {data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <AddPasskeyDialog isOpen={isAdding} onClose={adding.close} />
    </Panel>
  )
}

/** A passkey in the list, which can be renamed and removed. */
function PasskeyRow({ passkey }: PasskeyProps) {
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
