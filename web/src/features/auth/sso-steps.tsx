import { Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { westernDigits } from '#contract/western-digits.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { CodeForm } from './code-form.tsx'
import { SignInError } from './sign-in-error.tsx'
import { ssoMessage } from './sso-errors.ts'
import type { Sso, SsoStep } from './use-sso.ts'

interface SsoStepsProps {
  sso: Sso
  step: SsoStep
  providerName: string
  onCancel: () => void
}

/** What is still asked for after the provider has confirmed who is signing in. */
export function SsoSteps({ sso, step, providerName, onCancel }: SsoStepsProps) {
  const error = <SsoError sso={sso} providerName={providerName} />
  if ('requires_2fa' in step && !step.methods.includes('code')) return <PasskeyNeeded onBack={onCancel} />
  if ('requires_2fa' in step) {
    return (
      <AuthLayout title={t('Two-Factor Authentication')} subtitle={t('Enter the code of your authenticator app.')}>
        <CodeForm
          error={error}
          isBusy={sso.isBusy}
          lockSecondsLeft={sso.lockSecondsLeft}
          onSubmit={(code) => sso.prove({ totp_token: code })}
          onBack={onCancel}
          backLabel={t('Back to sign-in')}
        />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={t('Is this your account?')}
      subtitle={t('One last step to sign in with {providerName}.', { providerName: isolateName(step.provider_name) })}
    >
      <LinkForm sso={sso} step={step} onCancel={onCancel} />
    </AuthLayout>
  )
}

/** Sends the user back to sign in with a passkey, which is a complete sign-in and cannot finish the provider's. */
function PasskeyNeeded({ onBack }: { onBack: () => void }) {
  return (
    <AuthLayout
      title={t('Use your passkey')}
      subtitle={t(
        'Your account is protected by a passkey. Go back, and sign in with it: nothing else is asked for then.',
      )}
    >
      <Button size="md" onClick={onBack} autoFocus>
        {t('Back to sign-in')}
      </Button>
    </AuthLayout>
  )
}

/** Shows the error of the last call. */
export function SsoError({ sso, providerName }: { sso: Sso; providerName: string }) {
  return (
    <SignInError
      message={sso.error === undefined ? '' : ssoMessage(sso.error, providerName)}
      failedAttempts={0}
      lockSecondsLeft={sso.lockSecondsLeft}
      onDismiss={sso.dismissError}
    />
  )
}

interface LinkFormProps {
  sso: Sso
  step: Extract<SsoStep, { requires_link: true }>
  onCancel: () => void
}

/** Asks for proof that an existing account belongs to the person the provider named; a matching address proves nothing. */
function LinkForm({ sso, step, onCancel }: LinkFormProps) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const isLocked = sso.lockSecondsLeft > 0
  const isComplete = password !== '' && (!step.requires_code || code.trim() !== '')
  return (
    <form
      noValidate
      className={classes.fields}
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete && !isLocked && !sso.isBusy) {
          sso.prove({ password, ...(step.requires_code && { totp_token: code.trim() }) })
        }
      }}
    >
      <Text>
        {rich(
          'There is already an account for {email}. Enter its password here once, and from then on {provider} signs you in to it.',
          { email: <strong>{step.email}</strong>, provider: <Isolated>{step.provider_name}</Isolated> },
        )}
      </Text>
      <SsoError sso={sso} providerName={step.provider_name} />
      <PasswordInput
        label={t('Password of your Awaz account')}
        autoComplete="current-password"
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide password'), tabIndex: 0 }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {step.requires_code && (
        <TextInput
          label={t('Authentication code')}
          description={t('6 digits from your app or token, or one of your 8-character codes')}
          className={classes.code}
          placeholder="000000"
          maxLength={8}
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(westernDigits(event.currentTarget.value))}
        />
      )}
      <Button type="submit" size="md" fullWidth loading={sso.isBusy} disabled={!isComplete || isLocked}>
        {isLocked ? t('Account Locked') : t('Link and sign in')}
      </Button>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onCancel}>
        {t('Cancel')}
      </Anchor>
    </form>
  )
}
