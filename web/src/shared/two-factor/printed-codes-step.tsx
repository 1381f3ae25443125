import { Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { printedCodeShape } from '#contract/second-factor.ts'
import { t } from '#contract/texts/t.ts'
import { westernDigits } from '#contract/western-digits.ts'
import { Form } from '../ui/form.tsx'
import { messageOf } from '../api/api-error.ts'
import { useMutationForm } from '../form/use-mutation-form.ts'
import { toastError, toastSuccess } from '../toast.tsx'
import { PrintedCodes } from './printed-codes.tsx'
import classes from './two-factor.module.css'

interface PrintedCodesStepProps {
  codes: string[]
  /** Confirms the list with one of its codes, using it up; throws ApiError. */
  verify: (code: string) => Promise<unknown>
  onVerified: () => void
  /** Starts over without the list; throws ApiError. */
  onBack: () => Promise<void>
  cancel: ReactNode
}

/** The step for a paper list as the whole second factor. Typing one of its codes shows that it was printed or written down. */
export function PrintedCodesStep({ codes, verify, onVerified, onBack, cancel }: PrintedCodesStepProps) {
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { code: '' },
    validate: ({ code }) =>
      printedCodeShape.test(westernDigits(code.trim())) ? {} : { code: t('Please enter a code from the list') },
    send: ({ code }) => verify(westernDigits(code.trim())),
    sortErrors: () => ({ fields: { code: t('Invalid verification code. Please try again.') } }),
    onError: (error) => toastError(messageOf(error, t('Verification failed'))),
    onSuccess: () => {
      toastSuccess(t('2FA verification successful!'))
      onVerified()
    },
  })
  const back = useMutation({
    mutationFn: onBack,
    onError: (error) => toastError(messageOf(error, t('Failed to enable 2FA'))),
  })
  return (
    <Form onSubmit={submit} gap={20}>
      <PrintedCodes codes={codes} />
      <TextInput
        label={t('A code from the list')}
        description={t('Type one of the codes, and cross it out on the paper')}
        className={classes.code}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        size="md"
        maxLength={8}
        {...form.getInputProps('code')}
      />
      <Group gap="xs" align="stretch" justify="space-between">
        {cancel}
        <Group gap="xs" align="stretch" justify="space-between">
          <Button variant="default" loading={back.isPending} onClick={() => back.mutate()}>
            {t('Back')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('Use this list')}
          </Button>
        </Group>
      </Group>
    </Form>
  )
}
