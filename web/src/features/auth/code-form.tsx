import { Anchor, Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { authenticatorCodeShape, printedCodeShape } from '#contract/second-factor.ts'
import { t } from '#contract/texts/t.ts'
import { westernDigits } from '#contract/western-digits.ts'
import type { FieldErrors } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import classes from './auth.module.css'

interface CodeFormProps {
  error: ReactNode
  isBusy: boolean
  lockSecondsLeft: number
  onSubmit: (code: string) => void
  onBack: () => void
  /** An alternative, shown below the button. */
  alternative?: ReactNode
  /** The label of the button that calls `onBack`. */
  backLabel?: string
}

/** Six digits, or a backup code of eight letters and digits (accounts specification, section 5). */
function validate({ code }: { code: string }): FieldErrors {
  const trimmed = code.trim()
  if (!trimmed) return { code: t('Authentication code is required') }
  if (authenticatorCodeShape.test(trimmed) || printedCodeShape.test(trimmed)) return {}
  return { code: t('Please enter a valid 6-digit code or 8-character backup code') }
}

/** Asks for the second factor when signing in. */
export function CodeForm(props: CodeFormProps) {
  const { error, isBusy, lockSecondsLeft, onSubmit, alternative, onBack, backLabel = t('Back to password') } = props
  const { form, submit } = useMutationForm({
    initialValues: { code: '' },
    validate,
    send: async ({ code }) => onSubmit(code.trim()),
  })

  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      {error}
      <TextInput
        label={t('Authentication code')}
        description={t('6 digits from your app or token, or one of your 8-character codes')}
        className={classes.code}
        placeholder="000000"
        maxLength={8}
        autoComplete="one-time-code"
        autoFocus
        size="md"
        {...form.getInputProps('code')}
        onChange={(event) => form.setFieldValue('code', westernDigits(event.currentTarget.value))}
      />
      <Button type="submit" size="md" fullWidth loading={isBusy} disabled={lockSecondsLeft > 0}>
        {lockSecondsLeft > 0 ? t('Account Locked') : t('Verify')}
      </Button>
      {alternative}
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        {backLabel}
      </Anchor>
    </form>
  )
}
