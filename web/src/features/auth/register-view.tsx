import { Alert, Anchor, Button, Loader, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RegistrationMode } from '#contract/registration-mode.ts'
import { t } from '#contract/texts/t.ts'
import { auth, SignUp } from '#contract/endpoints/auth.ts'
import { minStrength, passwordStrength } from '#contract/password-rules.ts'
import { useIsServerConfigPending, useServerConfig } from '../../shared/config.ts'
import { EmailField, NameFields, UsernameField } from '../../shared/form/user-fields.tsx'
import { formatList } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { call } from '../../shared/api/client.ts'
import { type FieldErrors, validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { linkToSupport } from './link-to-support.tsx'
import { PasswordPair, TermsBox } from './registration-fields.tsx'
import { registrationErrors } from './registration-errors.ts'

const initialValues = {
  first_name: '',
  last_name: '',
  email: '',
  username: '',
  password: '',
  confirmation: '',
  isAgreed: false,
}

/** Checks the rules of the accounts specification, section 5, "Registration", and those of the contract. */
function validate(values: typeof initialValues): FieldErrors {
  const isWeak = passwordStrength(values.password) < minStrength
  return {
    ...(isWeak && { password: t('Please choose a stronger password') }),
    ...(values.password !== values.confirmation && { confirmation: t('Passwords do not match') }),
    ...(!values.isAgreed && { isAgreed: t('You must agree to the terms and conditions') }),
    ...validateInput(SignUp, values),
  }
}

/** Returns the registration form; `onRegistered` receives the address that the link was sent to. */
function useRegister(onRegistered: (email: string) => void) {
  return useMutationForm({
    initialValues,
    validate,
    send: ({ first_name, last_name, email, username, password }) =>
      call(auth.signUp, { body: { first_name, last_name, email, username, password } }),
    sortErrors: registrationErrors,
    onSuccess: (_, { email }) => {
      toastSuccess(t('Registration successful! Please check your email to verify your account.'))
      onRegistered(email.trim())
    },
  })
}

interface RegisterViewProps {
  onRegistered: (email: string) => void
  onLogin: () => void
}

/** Registration (accounts specification, section 2); if it is by invitation or closed, says how people get an account instead. */
export function RegisterView({ onRegistered, onLogin }: RegisterViewProps) {
  const config = useServerConfig()
  const isPending = useIsServerConfigPending()
  if (isPending) return <Preparing />
  const mode = config?.registration ?? 'open'
  if (mode === 'invitation' || mode === 'closed') return <NoRegistration mode={mode} onLogin={onLogin} />
  return (
    <RegisterForm
      domains={mode === 'domains' ? (config?.registration_domains ?? []) : []}
      onRegistered={onRegistered}
      onLogin={onLogin}
    />
  )
}

/** Shown until it is known whether the server accepts registrations. */
function Preparing() {
  return (
    <AuthLayout title={t('Create Account')}>
      <div role="status" aria-label={t('Loading the form')}>
        <Loader type="bars" size="sm" aria-hidden />
      </div>
    </AuthLayout>
  )
}

const reasons = {
  invitation: {
    title: t('By invitation'),
    subtitle: t('New accounts on this server are made by invitation.'),
    help: t(
      'Open the link of your invitation mail to create your account. Without one, ask your administrator to invite you.',
    ),
  },
  closed: {
    title: t('Registration is closed'),
    subtitle: t('Nobody can create an account on this server by themselves.'),
    help: t('Please ask your administrator for an account.'),
  },
} satisfies Partial<Record<RegistrationMode, object>>

function NoRegistration({ mode, onLogin }: { mode: keyof typeof reasons; onLogin: () => void }) {
  const { title, subtitle, help } = reasons[mode]
  return (
    <AuthLayout title={title} subtitle={subtitle}>
      <Text>{help}</Text>
      <Button onClick={onLogin}>{t('Go to Login')}</Button>
      <p className={classes.switch}>{rich('Who is that? <a>Contact support</a>', { a: linkToSupport })}</p>
    </AuthLayout>
  )
}

interface RegisterFormProps extends RegisterViewProps {
  /** Domains whose addresses may register; empty for all. */
  domains: string[]
}

function RegisterForm({ domains, onRegistered, onLogin }: RegisterFormProps) {
  const { form, submit, isBusy, generalError } = useRegister(onRegistered)
  const linkToLogin = (children: ReactNode[]) => (
    <Anchor component="button" type="button" size="sm" onClick={onLogin}>
      {children}
    </Anchor>
  )
  return (
    <AuthLayout title={t('Create Account')} subtitle={t('Verify your e-mail, set up two-factor, and start listening.')}>
      <form onSubmit={submit} noValidate className={classes.fields}>
        {generalError && (
          <Alert role="alert" color="red">
            {generalError}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NameFields form={form} isOwn focusOn="page" />
        </SimpleGrid>
        <EmailField
          form={form}
          autoComplete="email"
          required
          description={
            domains.length > 0 &&
            t('An address of {domains}. Others need an invitation of an administrator.', {
              domains: formatList(domains, 'disjunction'),
            })
          }
        />
        <UsernameField form={form} autoComplete="username" />
        <PasswordPair form={form} />
        <TermsBox {...form.getInputProps('isAgreed', { type: 'checkbox' })} />
        <Button type="submit" size="md" fullWidth loading={isBusy}>
          {t('Create Account')}
        </Button>
        <p className={classes.switch}>{rich('Already have an account? <a>Sign in</a>', { a: linkToLogin })}</p>
      </form>
    </AuthLayout>
  )
}
