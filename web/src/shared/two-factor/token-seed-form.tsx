import { Button, Text, TextInput } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { parseTokenSeed, tokenSeedMessage } from '#contract/token-seed.ts'
import { messageOf } from '../api/api-error.ts'
import { useMutationForm } from '../form/use-mutation-form.ts'
import { toastError } from '../toast.tsx'
import classes from './two-factor.module.css'

interface TokenSeedFormProps {
  /** Begins the set-up with this seed; throws ApiError. */
  onSeed: (seed: string) => Promise<void>
  onBack: () => void
}

/** Takes the seed of a hardware token, for rooms without phones: the server learns it instead of making a secret. */
export function TokenSeedForm({ onSeed, onBack }: TokenSeedFormProps) {
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { secret: '' },
    validate: ({ secret }) => (parseTokenSeed(secret) === undefined ? { secret: tokenSeedMessage } : {}),
    send: ({ secret }) => onSeed(secret),
    onError: (error) => toastError(messageOf(error, t('Failed to enable 2FA'))),
  })
  return (
    <form onSubmit={submit} noValidate className={classes.wizard}>
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
      <div className={classes.actions}>
        <Button variant="default" onClick={onBack}>
          {t('Back')}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t('Continue')}
        </Button>
      </div>
    </form>
  )
}
