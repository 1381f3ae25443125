import { Alert, Badge, Button, Group, Title, Modal, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type WatchedFolder, watchFolder } from '#contract/endpoints/watch-folder.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatDate } from '../../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../../shared/session/session.ts'
import { Isolated } from '../../../shared/ui/isolated.tsx'
import { call } from '../../../shared/api/client.ts'
import { validateInput } from '../../../shared/form/form-errors.ts'
import { useMutationForm } from '../../../shared/form/use-mutation-form.ts'
import { rich } from '../../../shared/texts/rich.tsx'
import { Form } from '../../../shared/ui/form.tsx'
import { useAdminAction } from '../../admin/use-admin.ts'
import { LabelledValue } from '../engine-item.tsx'
import classes from '../system.module.css'
import { WatchFolderProblems } from './watch-folder-problems.tsx'
import { ListedCard } from '../card-list.tsx'

interface BindDialogProps {
  folder: WatchedFolder
  isOpen: boolean
  onClose: () => void
}

/** A folder: who gets its recordings, how many files are waiting, and why. */
export function WatchFolderItem({ folder }: { folder: WatchedFolder }) {
  const { name, problems, problem_count: problemCount, waiting } = folder
  const canBind = isSuperAdmin(useUser())
  const [isOpen, dialog] = useDisclosure(false)
  return (
    <ListedCard>
      <Group gap="xs" justify="space-between">
        <Title order={3} size="md">
          <Isolated>{name}</Isolated>
        </Title>
        <StateBadge folder={folder} />
      </Group>
      {problems.length > 0 && (
        <Alert color="red" title={describeEffect(folder)}>
          <WatchFolderProblems problems={problems} count={problemCount} />
        </Alert>
      )}
      <dl className={classes.facts}>
        <LabelledValue name={t('Assigned to')}>{describeRecipient(folder)}</LabelledValue>
        <LabelledValue name={t('Since')}>{folder.bound_at ? formatDate(folder.bound_at) : t('not yet')}</LabelledValue>
        <LabelledValue name={t('Waiting')}>
          {t('{waiting, plural, one {# file} other {# files}}', { waiting })}
        </LabelledValue>
        <LabelledValue name={t('Last import')}>
          {folder.last_taken_at ? formatAgo(folder.last_taken_at) : t('never')}
        </LabelledValue>
      </dl>
      {canBind && (
        <div>
          <Button
            variant="default"
            size="xs"
            aria-label={t('Change owner or case: {name}', { name })}
            onClick={dialog.open}
          >
            {t('Change owner or case')}
          </Button>
          <BindFolderDialog folder={folder} isOpen={isOpen} onClose={dialog.close} />
        </div>
      )}
    </ListedCard>
  )
}

function StateBadge({ folder: { recipient, problems, waiting, is_present: isPresent } }: { folder: WatchedFolder }) {
  if (!isPresent) return <Badge color="gray">{t('Missing')}</Badge>
  if (!recipient) return <Badge color="red">{t('Not assigned')}</Badge>
  if (problems.length > 0) return <Badge color="red">{t('Problem')}</Badge>
  return waiting > 0 ? <Badge>{t('Importing')}</Badge> : <Badge color="gray">{t('Nothing waiting')}</Badge>
}

function describeEffect({ recipient, problem_count: count }: WatchedFolder): string {
  if (!recipient) return t('Nothing is imported')
  return t('{count, plural, one {# problem needs} other {# problems need}} attention', { count })
}

/** Returns who gets the recordings, by the current names of user and case. */
function describeRecipient({ recipient }: WatchedFolder): string {
  if (!recipient) return t('nobody')
  const { kind, name, owner } = recipient
  if (name === null) return kind === 'user' ? t('a deleted account') : t('a deleted case')
  const isolated = isolateName(name)
  if (kind === 'user') return isolated
  return owner !== null
    ? t('the case “{name}” of {owner}', { name: isolated, owner })
    : t('the case “{name}” of a deleted account', { name: isolated })
}

/** Assigns a folder to another user or case, or to the user that its name currently refers to. */
function BindFolderDialog({ folder, isOpen, onClose }: BindDialogProps) {
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
