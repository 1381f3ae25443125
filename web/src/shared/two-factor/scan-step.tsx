import { Anchor, Button, Text } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useState, type ReactNode } from 'react'
import { toastError } from '../toast.tsx'
import { useCopied } from '../use-copied.ts'
import { TokenSeedForm } from './token-seed-form.tsx'
import classes from './two-factor.module.css'
import type { TwoFactorSetup } from './use-two-factor-setup.ts'

interface ScanStepProps {
  setup: TwoFactorSetup
  onNext: () => void
  /** Begins again with the seed of a hardware token; throws ApiError. */
  onSeed: (seed: string) => Promise<void>
  cancel: ReactNode
}

/** Step 1: scan the code, type the secret, or enter the seed of a token. */
export function ScanStep({ setup, onNext, onSeed, cancel }: ScanStepProps) {
  const [hasToken, setHasToken] = useState(false)
  if (hasToken) return <TokenSeedForm onSeed={onSeed} onBack={() => setHasToken(false)} />
  return (
    <>
      <Text>
        Scan this code with an authenticator app, such as Google Authenticator, Microsoft Authenticator, Authy or
        1Password.
      </Text>
      <img className={classes.qr} src={setup.qr_code} width={196} height={196} alt="QR code of your secret key" />
      <SecretKey secret={setup.secret} />
      <Text size="sm" c="dimmed">
        No phone here? An authenticator on this computer, such as KeePassXC, takes the key as well. So does a hardware token
        that can be programmed; one that has a seed of its own works by that seed.{' '}
        <Anchor component="button" type="button" size="sm" onClick={() => setHasToken(true)}>
          Enter the seed of a token
        </Anchor>
      </Text>
      <div className={classes.actions}>
        {cancel}
        <Button onClick={onNext}>Continue</Button>
      </div>
    </>
  )
}

/** The secret for typing, in groups of four, with a copy button. */
export function SecretKey({ secret }: { secret: string }) {
  const { isCopied, copy } = useCopied(() => toastError('Failed to copy secret key'))
  return (
    <div className={classes.secret}>
      <div>
        <Text size="sm" c="dimmed">
          Or enter this key by hand
        </Text>
        <code className={classes.key}>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </div>
      <Button
        variant="default"
        size="compact-md"
        leftSection={isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.5} />}
        onClick={() => void copy(secret)}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
