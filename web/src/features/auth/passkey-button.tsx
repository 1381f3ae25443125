import { Anchor, Button, Text } from '@mantine/core'
import IconFingerprint from '@tabler/icons-react/dist/esm/icons/IconFingerprint.mjs'
import type { ReactNode } from 'react'
import { passkeyObstacle } from '../security/passkeys-support.ts'
import classes from './auth.module.css'

interface PasskeyButtonProps {
  children: string
  isBusy: boolean
  /** Default false. */
  isPrimary?: boolean
  onClick: () => void
}

/** Signs in with a passkey. */
export function PasskeyButton({ children, isBusy, isPrimary = false, onClick }: PasskeyButtonProps) {
  return (
    <Button
      variant={isPrimary ? 'filled' : 'default'}
      size="md"
      fullWidth
      autoFocus={isPrimary}
      leftSection={<IconFingerprint size={18} stroke={1.5} aria-hidden />}
      loading={isBusy}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}

interface PasskeyStepProps extends Pick<PasskeyButtonProps, 'isBusy' | 'onClick'> {
  error: ReactNode
  onBack: () => void
}

/** The second factor of signing in, for accounts whose only one is a passkey. */
export function PasskeyStep({ error, isBusy, onClick, onBack }: PasskeyStepProps) {
  const obstacle = passkeyObstacle()
  return (
    <div className={classes.fields}>
      {error}
      {obstacle ? (
        <Text>{obstacle}</Text>
      ) : (
        <PasskeyButton isPrimary isBusy={isBusy} onClick={onClick}>
          Use your passkey
        </PasskeyButton>
      )}
      <Text size="sm" c="dimmed">
        You no longer have it? An administrator can reset your two-factor.
      </Text>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        Back to password
      </Anchor>
    </div>
  )
}
