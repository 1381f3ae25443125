import { Button, Group, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { authenticatorCodeShape } from '#contract/second-factor.ts'
import { t } from '#contract/texts/t.ts'
import { westernDigits } from '#contract/western-digits.ts'
import { Form } from '../ui/form.tsx'
import { messageOf } from '../api/api-error.ts'
import { useMutationForm } from '../form/use-mutation-form.ts'
import { toastError, toastSuccess } from '../toast.tsx'
import classes from './two-factor.module.css'

interface CodeStepProps {
  /** Confirms the secret by a code; throws ApiError. */
  verify: (code: string) => Promise<unknown>
  onVerified: () => void
  onBack: () => void
  cancel: ReactNode
}

/** Step 2: a code proves that the app has the secret. Digits only, exactly six (accounts specification, section 5). */
export function CodeStep({ verify, onVerified, onBack, cancel }: CodeStepProps) {
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { code: '' },
    validate: ({ code }) =>
      authenticatorCodeShape.test(code) ? {} : { code: t('Please enter a 6-digit verification code') },
    send: ({ code }) => verify(code),
    sortErrors: () => ({ fields: { code: t('Invalid verification code. Please try again.') } }),
    onError: (error) => toastError(messageOf(error, t('Verification failed'))),
    onSuccess: () => {
      toastSuccess(t('2FA verification successful!'))
      onVerified()
    },
  })
  const isIncomplete = form.values.code.length !== 6
  return (
    <Form onSubmit={submit} gap={20}>
      <TextInput
        label={t('Verification code')}
        description={t('The 6 digits your app or token shows now')}
        className={classes.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        size="md"
        maxLength={6}
        placeholder="000000"
        {...form.getInputProps('code')}
        onChange={(event) => form.setFieldValue('code', westernDigits(event.currentTarget.value).replace(/\D/g, ''))}
        // A browser submits nothing by Enter while the button is disabled, and says nothing.
        onKeyDown={(event) => {
          if (event.key === 'Enter' && isIncomplete) form.validate()
        }}
      />
      <Group gap="xs" align="stretch" justify="space-between">
        {cancel}
        <Group gap="xs" align="stretch" justify="space-between">
          <Button variant="default" onClick={onBack}>
            {t('Back')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={isIncomplete}>
            {t('Verify')}
          </Button>
        </Group>
      </Group>
    </Form>
  )
}
