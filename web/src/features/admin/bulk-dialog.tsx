import { Alert, Text } from '@mantine/core'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import type { BulkUserAction } from '#contract/user-list.ts'
import { displayName } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { bulkActionWords, describeCompletedBulkAction } from './bulk-words.ts'
import classes from './bulk.module.css'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import type { PartialResult } from './use-bulk-action.ts'

interface BulkDialogProps {
  /** Undefined keeps the dialog closed. */
  action: BulkUserAction | undefined
  users: User[]
  isBusy: boolean
  onConfirm: (action: BulkUserAction) => void
  onClose: () => void
}

/** Asks for confirmation before an action signs users out or destroys their data, and names those users. */
export function BulkDialog({ action, users, isBusy, onConfirm, onClose }: BulkDialogProps) {
  const words = action && bulkActionWords[action]
  return (
    <ConfirmDialog
      title={
        words
          ? t('{action}: {count, plural, one {# user} other {# users}}', { action: words.label, count: users.length })
          : ''
      }
      confirmLabel={words?.label ?? ''}
      isOpen={action !== undefined}
      isBusy={isBusy}
      onConfirm={() => action && onConfirm(action)}
      onClose={onClose}
    >
      <Text>{words?.meaning}</Text>
      <ul className={classes.names} aria-label={t('Selected users')}>
        {users.map((user) => (
          <li key={user.id}>
            <Isolated>{displayName(user)}</Isolated> ({user.email})
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}

/** Lists the users for whom an action failed, and why. */
export function BulkResult({ result, onClose }: { result: PartialResult; onClose: () => void }) {
  const { action, done, failed } = result
  return (
    <Alert
      color={done === 0 ? 'red' : 'amber'}
      role="alert"
      radius={0}
      title={t('{done}, {count, number} not', {
        done: describeCompletedBulkAction(action, done),
        count: failed.length,
      })}
      withCloseButton
      closeButtonLabel={t('Close')}
      onClose={onClose}
    >
      <ul className={classes.names}>
        {failed.map(({ id, email, error }) => (
          <li key={id}>
            {email || t('A user who is gone')}: {translateSentence(error)}
          </li>
        ))}
      </ul>
      {t('They stay selected.')}
    </Alert>
  )
}
