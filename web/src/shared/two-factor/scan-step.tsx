import { Button, Text } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SecondFactorChoice } from '#contract/second-factor.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../api/api-error.ts'
import { toastError } from '../toast.tsx'
import { useCopied } from '../use-copied.ts'
import { TokenSeedForm } from './token-seed-form.tsx'
import classes from './two-factor.module.css'
import type { TwoFactorSetup } from './use-two-factor-setup.ts'

interface ScanStepProps {
  setup: TwoFactorSetup
  onNext: () => void
  /** Begins again with a token's seed or a printed list; throws ApiError. */
  onChoose: (choice: SecondFactorChoice) => Promise<void>
  cancel: ReactNode
}

/** Step 1: scan the code, type the secret, or choose what works without an app. */
export function ScanStep({ setup, onNext, onChoose, cancel }: ScanStepProps) {
  const [hasToken, setHasToken] = useState(false)
  const printed = useMutation({
    mutationFn: () => onChoose({ kind: 'printed_codes' }),
    onError: (error) => toastError(messageOf(error, t('Failed to enable 2FA'))),
  })
  if (hasToken) return <TokenSeedForm onSeed={(secret) => onChoose({ secret })} onBack={() => setHasToken(false)} />
  return (
    <>
      <Text>
        {t(
          'Scan this code with an authenticator app, such as Google Authenticator, Microsoft Authenticator, Authy or 1Password.',
        )}
      </Text>
      <img className={classes.qr} src={setup.qr_code} width={196} height={196} alt={t('QR code of your secret key')} />
      <SecretKey secret={setup.secret} />
      <Text size="sm" c="dimmed">
        {t(
          'No phone here? Enter the key in an authenticator on this computer, such as KeePassXC, or program it into a hardware token. A token that has a seed of its own works too. Or use paper: a list of 20 codes, each of which works once.',
        )}
      </Text>
      <div className={classes.others}>
        <Button variant="default" size="xs" onClick={() => setHasToken(true)}>
          {t('Enter the seed of a token')}
        </Button>
        <Button variant="default" size="xs" loading={printed.isPending} onClick={() => printed.mutate()}>
          {t('Use a printed list')}
        </Button>
      </div>
      <div className={classes.actions}>
        {cancel}
        <Button onClick={onNext}>{t('Continue')}</Button>
      </div>
    </>
  )
}

/** The secret for typing, in groups of four, with a copy button. */
export function SecretKey({ secret }: { secret: string }) {
  const { isCopied, copy } = useCopied(() => toastError(t('Failed to copy secret key')))
  return (
    <div className={classes.secret}>
      <div>
        <Text size="sm" c="dimmed">
          {t('Or enter this key by hand')}
        </Text>
        <code className={classes.key}>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </div>
      <Button
        variant="default"
        size="compact-md"
        leftSection={isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.5} />}
        onClick={() => void copy(secret)}
      >
        {isCopied ? t('Copied') : t('Copy')}
      </Button>
    </div>
  )
}
