import { Anchor, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import type { OfferedProvider } from '#contract/entities/offered-provider.ts'
import { sso } from '#contract/endpoints/sso.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { rememberReturnPath } from '../../shared/session/return-path.ts'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { SsoError, SsoSteps } from './sso-steps.tsx'
import { useSso } from './use-sso.ts'

interface DirectoryViewProps {
  provider: OfferedProvider
  rememberMe: boolean
  onBack: () => void
}

/** Sign-in with the user name and password of a directory. */
export function DirectoryView({ provider, rememberMe, onBack }: DirectoryViewProps) {
  const state = useSso()
  const isLocked = state.lockSecondsLeft > 0
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { username: '', password: '', remember_me: rememberMe },
    validate: (values) => validateInput(sso.directorySignIn.body, values),
    send: (body) => call(sso.directorySignIn, { params: { id: provider.id }, body }),
    onSuccess: (result) => {
      rememberReturnPath()
      state.accept(result)
    },
    sortErrors: () => ({ fields: {} }),
    onError: state.fail,
  })

  if (state.step) {
    return <SsoSteps sso={state} step={state.step} providerName={provider.name} onCancel={state.cancel} />
  }
  return (
    <AuthLayout
      title={t('Welcome Back')}
      subtitle={t('Sign in with your account of {name}.', { name: isolateName(provider.name) })}
    >
      <form onSubmit={submit} noValidate className={classes.fields}>
        <SsoError sso={state} providerName={provider.name} />
        <TextInput
          label={t('User name')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label={t('Password')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide password'), tabIndex: 0 }}
          {...form.getInputProps('password')}
        />
        <Checkbox label={t('Remember me')} {...form.getInputProps('remember_me', { type: 'checkbox' })} />
        <Button type="submit" size="md" fullWidth loading={isBusy} disabled={isLocked}>
          {isLocked ? t('Account Locked') : t('Sign In')}
        </Button>
        <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
          {t('Other ways to sign in')}
        </Anchor>
      </form>
    </AuthLayout>
  )
}
