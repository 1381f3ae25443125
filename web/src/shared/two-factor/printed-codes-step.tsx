import { Button, Text, TextInput } from '@mantine/core'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import type { ReactNode } from 'react'
import { messageOf } from '../api/api-error.ts'
import { useMutationForm } from '../form/use-mutation-form.ts'
import { toastError, toastSuccess } from '../toast.tsx'
import { BackupCodeList } from './backup-codes.tsx'
import classes from './two-factor.module.css'

interface PrintedCodesStepProps {
  codes: string[]
  /** Confirms the list by one of its codes, which that uses up; throws ApiError. */
  verify: (code: string) => Promise<unknown>
  onVerified: () => void
  cancel: ReactNode
}

/** A list on paper is the whole second factor. Typing one of its codes shows that it was printed or written down. */
export function PrintedCodesStep({ codes, verify, onVerified, cancel }: PrintedCodesStepProps) {
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { code: '' },
    validate: ({ code }) => (/^[a-z\d]{8}$/i.test(code.trim()) ? {} : { code: 'Please enter a code of the list' }),
    send: ({ code }) => verify(code.trim()),
    sortErrors: () => ({ fields: { code: 'Invalid verification code. Please try again.' } }),
    onError: (error) => toastError(messageOf(error, 'Verification failed')),
    onSuccess: () => {
      toastSuccess('2FA verification successful!')
      onVerified()
    },
  })
  return (
    <form onSubmit={submit} noValidate className={classes.wizard}>
      <Text>
        Print this list and keep it apart from your password. Each sign-in asks for one of its codes, in any order;
        cross it out then. The list is not shown again.
      </Text>
      <div className={classes.printed}>
        <BackupCodeList codes={codes} label="Printed codes" />
      </div>
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden />}
        className={classes.start}
        onClick={() => window.print()}
      >
        Print
      </Button>
      <TextInput
        label="A code of the list"
        description="Type one from the paper, and cross it out"
        className={classes.code}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        size="md"
        maxLength={8}
        {...form.getInputProps('code')}
      />
      <div className={classes.actions}>
        {cancel}
        <Button type="submit" loading={isBusy}>
          Use this list
        </Button>
      </div>
    </form>
  )
}
