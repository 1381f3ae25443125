import { Anchor, Button, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { NewPasswordFields } from './new-password-fields.tsx'
import { useForgotPassword } from './use-forgot-password.ts'
import { WithoutMail } from './verification-pending.tsx'

const steps = ['email', 'code', 'reset'] as const
const titles = {
  email: { title: 'Forgot Password', subtitle: 'Enter your e-mail address and we send you a code.' },
  code: { title: 'Enter Code', subtitle: 'The code has 6 digits and expires in 10 minutes.' },
  reset: { title: 'New Password', subtitle: 'All your sessions end when it is set.' },
}

/** A forgotten password in three steps within one screen (accounts specification, section 2). */
export function ForgotPassword({ onDone }: { onDone: () => void }) {
  const flow = useForgotPassword(onDone)
  return (
    <AuthLayout {...titles[flow.step]}>
      <div className={classes.steps} role="img" aria-label={`Step ${steps.indexOf(flow.step) + 1} of 3`}>
        {steps.map((name, index) => (
          <span key={name} data-done={index <= steps.indexOf(flow.step) || undefined} />
        ))}
      </div>
      {flow.step === 'email' && <EmailStep flow={flow} onBack={onDone} />}
      {flow.step === 'code' && <CodeStep flow={flow} />}
      {flow.step === 'reset' && (
        <>
          <NewPasswordFields isBusy={flow.isBusy} onSubmit={(one, two) => void flow.reset(one, two)} />
          <div className={classes.row}>
            <Anchor component="button" type="button" size="sm" onClick={() => flow.setStep('code')}>
              Back to code
            </Anchor>
            <Anchor component="button" type="button" size="sm" onClick={onDone}>
              Back to Login
            </Anchor>
          </div>
        </>
      )}
    </AuthLayout>
  )
}

type Flow = ReturnType<typeof useForgotPassword>

function EmailStep({ flow, onBack }: { flow: Flow; onBack: () => void }) {
  function submit(event: FormEvent) {
    event.preventDefault()
    void flow.sendCode()
  }
  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        value={flow.email}
        onChange={(event) => flow.setEmail(event.currentTarget.value)}
      />
      <Button type="submit" size="md" fullWidth loading={flow.isBusy}>
        Send Reset Code
      </Button>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        Back to Login
      </Anchor>
    </form>
  )
}

function CodeStep({ flow }: { flow: Flow }) {
  function submit(event: FormEvent) {
    event.preventDefault()
    void flow.checkCode()
  }
  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      <Text>
        If <strong>{flow.email}</strong> has an account, a code is on its way.
      </Text>
      <WithoutMail what="the reset code" />
      <TextInput
        label="6-digit code"
        className={classes.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        size="md"
        maxLength={6}
        placeholder="000000"
        value={flow.code}
        onChange={(event) => flow.setCode(event.currentTarget.value.replace(/\D/g, ''))}
      />
      <Button type="submit" size="md" fullWidth loading={flow.isBusy}>
        Verify Code
      </Button>
      <div className={classes.row}>
        <Anchor component="button" type="button" size="sm" onClick={() => flow.setStep('email')}>
          Back to email
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={() => void flow.resendCode()}>
          Resend code
        </Anchor>
      </div>
    </form>
  )
}
