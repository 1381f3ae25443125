import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { watchFolder, type WatchedFolder } from '#contract/endpoints/watch-folder.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../../shared/api/client.ts'
import { validateInput } from '../../../shared/form/form-errors.ts'
import { useMutationForm } from '../../../shared/form/use-mutation-form.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { Form } from '../../../shared/ui/form.tsx'
import { useAdminAction } from '../../admin/use-admin.ts'

interface BindDialogProps {
  folder: WatchedFolder
  isOpen: boolean
  onClose: () => void
}

/** Assigns a folder to another user or case, or to the user its name stands for now. */
export function BindFolderDialog({ folder, isOpen, onClose }: BindDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Change owner or case')}>
      <BindForm folder={folder} onClose={onClose} />
    </Modal>
  )
}

function BindForm({ folder: { name, recipient }, onClose }: Omit<BindDialogProps, 'isOpen'>) {
  const action = useAdminAction({ fields: ['recipient'] })
  const bindTo = (target: string | null) => ({
    run: () => call(watchFolder.bind, { body: { folder: name, recipient: target } }),
    success: target === null ? t('Watch folder unbound') : t('Folder reassigned'),
    failure: t('Failed to reassign the folder'),
    onDone: onClose,
  })
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { recipient: '' },
    validate: (values) => validateInput(watchFolder.bind.body, { folder: name, ...values }),
    send: ({ recipient: target }) => action.mutateAsync(bindTo(target)),
  })
  return (
    <Form onSubmit={submit}>
      <Text>
        {rich(
          'From now on, recordings in {name} go to the user or case that you enter. Recordings that were imported before stay where they are.',
          { name: <Isolated>{name}</Isolated> },
        )}
        {recipient && ` ${t('Unbind the folder to have it assigned by its name again.')}`}
      </Text>
      <TextInput
        label={t('E-mail address of a user, or ID of a case')}
        required
        data-autofocus
        {...form.getInputProps('recipient')}
      />
      <Group gap="xs" justify="flex-end" mt={20}>
        {recipient && (
          <Button variant="subtle" disabled={isBusy} onClick={() => action.mutate(bindTo(null))}>
            {t('Unbind')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t('Change')}
        </Button>
      </Group>
    </Form>
  )
}
