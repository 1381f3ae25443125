import { Anchor, Button, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import { t } from '#contract/texts/t.ts'
import { westernDigits } from '#contract/western-digits.ts'
import { call } from '../../shared/api/client.ts'
import { useServerConfig } from '../../shared/config.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { NewPasswordForm } from './new-password-form.tsx'
import { toastStepError } from './password-reset.ts'
import { NoMailNotice } from './verification-pending.tsx'

const steps = ['email', 'code', 'reset'] as const
const titles = {
  email: { title: t('Forgot Password'), subtitle: t('Enter your e-mail address and we send you a code.') },
  code: { title: t('Enter Code'), subtitle: t('The code has 6 digits and expires in 10 minutes.') },
  reset: { title: t('New Password'), subtitle: t('All your sessions end when it is set.') },
}

/** Resets a forgotten password in three steps on one screen (accounts specification, sections 2 and 4). `onDone` runs after the last. */
export function ForgotPassword({ onDone }: { onDone: () => void }) {
  const [step, setStep] = useState<(typeof steps)[number]>('email')
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')

  function goToCode(enteredEmail: string) {
    setEmail(enteredEmail)
    setStep('code')
  }
  function goToReset(enteredCode: string) {
    setCode(enteredCode)
    setStep('reset')
  }

  return (
    <AuthLayout {...titles[step]}>
      <div
        className={classes.steps}
        role="img"
        aria-label={t('Step {step, number} of {count, number}', { step: steps.indexOf(step) + 1, count: steps.length })}
      >
        {steps.map((name, index) => (
          <span key={name} data-done={index <= steps.indexOf(step) || undefined} />
        ))}
      </div>
      {step === 'email' && <EmailStep initialEmail={email} onSent={goToCode} onBack={onDone} />}
      {step === 'code' && (
        <CodeStep email={email} initialCode={code} onVerified={goToReset} onBack={() => setStep('email')} />
      )}
      {step === 'reset' && (
        <>
          <NewPasswordForm
            send={(password) => call(auth.resetPassword, { body: { email, code, new_password: password } })}
            onDone={onDone}
          />
          <div className={classes.row}>
            <Anchor component="button" type="button" size="sm" onClick={() => setStep('code')}>
              {t('Back to code')}
            </Anchor>
            <Anchor component="button" type="button" size="sm" onClick={onDone}>
              {t('Back to Login')}
            </Anchor>
          </div>
        </>
      )}
    </AuthLayout>
  )
}

interface EmailStepProps {
  initialEmail: string
  onSent: (email: string) => void
  onBack: () => void
}

function EmailStep({ initialEmail, onSent, onBack }: EmailStepProps) {
  const sendsMail = useSendsMail()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { email: initialEmail },
    validate: ({ email }) => (email.trim() ? {} : { email: t('Please enter your email address') }),
    onInvalid: ({ email }) => email && toastError(email),
    send: ({ email }) => call(auth.forgotPassword, { body: { email } }),
    sortErrors: () => ({ fields: {} }),
    onError: (error) => toastStepError(error, t('Failed to send reset code')),
    onSuccess: (_, { email }) => {
      // Otherwise the next step says where to get the code.
      if (sendsMail) toastSuccess(t('Password reset code sent to your email'))
      onSent(email)
    },
  })
  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      <TextInput
        label={t('Email')}
        type="email"
        autoComplete="username"
        autoFocus
        {...form.getInputProps('email', { withError: false })}
      />
      <Button type="submit" size="md" fullWidth loading={isBusy}>
        {t('Send Reset Code')}
      </Button>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        {t('Back to Login')}
      </Anchor>
    </form>
  )
}

/** Returns whether the server sends e-mail; true until known. */
function useSendsMail(): boolean {
  return useServerConfig()?.is_smtp_configured !== false
}

interface CodeStepProps {
  email: string
  initialCode: string
  onVerified: (code: string) => void
  onBack: () => void
}

function CodeStep({ email, initialCode, onVerified, onBack }: CodeStepProps) {
  const sendsMail = useSendsMail()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { code: initialCode },
    validate: ({ code }) => (/^\d{6}$/.test(code) ? {} : { code: t('Please enter a valid 6-digit code') }),
    onInvalid: ({ code }) => code && toastError(code),
    send: ({ code }) => call(auth.verifyResetCode, { body: { email, code } }),
    sortErrors: () => ({ fields: {} }),
    onError: (error) => toastStepError(error, t('Invalid or expired code')),
    onSuccess: (_, { code }) => {
      toastSuccess(t('Code verified successfully!'))
      onVerified(code)
    },
  })
  const resend = useMutation({
    mutationFn: () => call(auth.forgotPassword, { body: { email } }),
    onSuccess: () => toastSuccess(sendsMail ? t('New code sent to your email') : t('There is a new code')),
    onError: (error) => toastStepError(error, t('Failed to resend code')),
  })
  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      <Text>
        {sendsMail
          ? rich('If {email} has an account, a code is on its way.', { email: <strong>{email}</strong> })
          : rich('If {email} has an account, there is a code for it.', { email: <strong>{email}</strong> })}
      </Text>
      <NoMailNotice>
        {t('Ask your administrator for the reset code: it waits on the page Mail of the administration.')}
      </NoMailNotice>
      <TextInput
        label={t('6-digit code')}
        className={classes.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        size="md"
        maxLength={6}
        placeholder="000000"
        {...form.getInputProps('code', { withError: false })}
        onChange={(event) => form.setFieldValue('code', westernDigits(event.currentTarget.value).replace(/\D/g, ''))}
      />
      <Button type="submit" size="md" fullWidth loading={isBusy || resend.isPending}>
        {t('Verify Code')}
      </Button>
      <div className={classes.row}>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('Back to email')}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={() => resend.mutate()}>
          {t('Resend code')}
        </Anchor>
      </div>
    </form>
  )
}
