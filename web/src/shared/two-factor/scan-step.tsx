import { Button, Group, Text, TextInput } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { SecondFactorChoice } from '#contract/second-factor.ts'
import { t } from '#contract/texts/t.ts'
import { parseTokenSeed, tokenSeedMessage } from '#contract/token-seed.ts'
import { Form } from '../ui/form.tsx'
import { messageOf } from '../api/api-error.ts'
import { toastError } from '../toast.tsx'
import { useCopied } from '../use-copied.ts'
import { useMutationForm } from '../form/use-mutation-form.ts'
import classes from './two-factor.module.css'
import type { TwoFactorSetup } from './use-two-factor-setup.ts'
import common from '../ui/common.module.css'

interface TokenSeedFormProps {
  /** Starts the set-up with this seed; throws ApiError. */
  onSeed: (seed: string) => Promise<void>
  onBack: () => void
}

/** Accepts the seed of a hardware token, for rooms without phones: the server uses it instead of creating a secret. */
function TokenSeedForm({ onSeed, onBack }: TokenSeedFormProps) {
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { secret: '' },
    validate: ({ secret }) => (parseTokenSeed(secret) === undefined ? { secret: tokenSeedMessage } : {}),
    send: ({ secret }) => onSeed(secret),
    onError: (error) => toastError(messageOf(error, t('Failed to enable 2FA'))),
  })
  return (
    <Form onSubmit={submit} gap={20}>
      <Text>
        {t(
          'For TOTP tokens that show a new 6-digit code every 30 seconds. The seed comes with the token, or from whoever manages your tokens.',
        )}
      </Text>
      <TextInput
        label={t('Seed of your token')}
        description={t('In base32 or hex; spaces are ignored')}
        autoComplete="off"
        autoFocus
        spellCheck={false}
        dir="ltr"
        maxLength={300}
        {...form.getInputProps('secret')}
      />
      <Group gap="xs" align="stretch" justify="space-between">
        <Button variant="default" onClick={onBack}>
          {t('Back')}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t('Continue')}
        </Button>
      </Group>
    </Form>
  )
}

interface ScanStepProps {
  setup: TwoFactorSetup
  onNext: () => void
  /** Starts over with a token's seed or a printed list; throws ApiError. */
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
      <Group gap="xs" align="stretch">
        <Button variant="default" size="xs" onClick={() => setHasToken(true)}>
          {t('Enter the seed of a token')}
        </Button>
        <Button variant="default" size="xs" loading={printed.isPending} onClick={() => printed.mutate()}>
          {t('Use a printed list')}
        </Button>
      </Group>
      <Group gap="xs" align="stretch" justify="space-between">
        {cancel}
        <Button onClick={onNext}>{t('Continue')}</Button>
      </Group>
    </>
  )
}

/** The secret to type, in groups of four, with a copy button. */
export function SecretKey({ secret }: { secret: string }) {
  const { isCopied, copy } = useCopied(() => toastError(t('Failed to copy secret key')))
  return (
    <Group
      gap="sm"
      justify="space-between"
      py="sm"
      px="md"
      bd="1px solid var(--awaz-line)"
      bdrs="md"
      bg="var(--awaz-sunken)"
    >
      <div>
        <Text size="sm" c="dimmed">
          {t('Or enter this key by hand')}
        </Text>
        <Text component="code" inherit ff="monospace" fz="sm" className={common.wrap}>
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </Text>
      </div>
      <Button
        variant="default"
        size="compact-md"
        leftSection={isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.5} />}
        onClick={() => void copy(secret)}
      >
        {isCopied ? t('Copied') : t('Copy')}
      </Button>
    </Group>
  )
}
