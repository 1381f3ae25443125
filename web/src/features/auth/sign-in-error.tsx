import { Alert, Text } from '@mantine/core'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { t } from '#contract/texts/t.ts'
import { formatLock } from './sign-in-errors.ts'

interface SignInErrorProps {
  message: string
  failedAttempts: number
  /** 0 when the account is not locked. */
  lockSecondsLeft: number
  onDismiss: () => void
}

/**
 * The error of the last attempt; cannot be dismissed while the account is locked (accounts specification, section 4). The count of failed
 * attempts stays when the box is dismissed.
 */
export function SignInError({ message, failedAttempts, lockSecondsLeft, onDismiss }: SignInErrorProps) {
  const isLocked = lockSecondsLeft > 0
  const count =
    failedAttempts > 0 && !isLocked ? (
      <Text size="sm">{t('Failed attempts: {failedAttempts, number}', { failedAttempts })}</Text>
    ) : null
  if (!message) return count
  return (
    <Alert
      role="alert"
      color="red"
      icon={isLocked ? <IconLock size={18} stroke={1.5} /> : <IconAlertTriangle size={18} stroke={1.5} />}
      withCloseButton={!isLocked}
      closeButtonLabel={t('Dismiss')}
      onClose={onDismiss}
    >
      {message}
      {isLocked && (
        <Text size="sm" mt={4} aria-live="off">
          {t('{time} left. Your account unlocks automatically when the countdown reaches zero.', {
            time: formatLock(lockSecondsLeft),
          })}
        </Text>
      )}
      {count}
    </Alert>
  )
}
