import { Button, Group, List, Loader, Alert, Anchor, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { invitations } from '#contract/endpoints/invitations.ts'
import { t } from '#contract/texts/t.ts'
import type { Response } from '#contract/endpoint.ts'
import { minStrength, passwordStrength } from '#contract/password-rules.ts'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { validateInput, type FieldErrors, type FormErrors } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { EmailField, NameFields, UsernameField } from '../../shared/form/user-fields.tsx'
import { formatMoment } from '../../shared/format.ts'
import { useSession, useSessionActions } from '../../shared/session/session.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { linkToSupport } from './link-to-support.tsx'
import { registrationErrors } from './registration-errors.ts'
import { PasswordPair, TermsBox } from './registration-fields.tsx'
import { suggestUsername } from './suggest-username.ts'

interface AcceptInvitationFormProps {
  token: string
  invitation: Response<typeof invitations.check>
}

/** The target of an invitation link: creates the account, then continues to two-factor setup. */
export function AcceptInvitationPage() {
  const [search] = useSearchParams()
  const token = search.get('token')
  if (!token) {
    return (
      <NotValid title={t('The link is not complete')}>
        {t('Please open the whole link of the invitation mail: some mail programs break long links into two lines.')}
      </NotValid>
    )
  }
  return <Invited token={token} />
}

function Invited({ token }: { token: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call(invitations.check, { body: { token } }),
    // The form's data must not change while it is being filled in.
    staleTime: Infinity,
    retry: false,
  })
  if (data) return <AcceptInvitationForm token={token} invitation={data} />
  if (isPending) {
    return (
      <AuthLayout title={t('Your invitation')} subtitle={t('One moment, please.')}>
        <div role="status" aria-label={t('Reading your invitation')}>
          <Loader type="bars" size="sm" aria-hidden />
        </div>
      </AuthLayout>
    )
  }
  const message = messageOf(error, t('Network error. Please try again.'))
  if (error instanceof ApiError && (error.code === 'invitation_invalid' || error.status === 400)) {
    return <NotValid title={t('This invitation does not work')}>{message}</NotValid>
  }
  return (
    <AuthLayout title={t('Your invitation could not be read')} subtitle={message}>
      <Button onClick={() => void refetch()}>{t('Try again')}</Button>
    </AuthLayout>
  )
}

/** Says why a link does not work and what to do in each case. */
function NotValid({ title, children }: { title: string; children: ReactNode }) {
  const navigate = useNavigate()
  return (
    <AuthLayout title={title} subtitle={children}>
      <Group>
        <Button onClick={() => void navigate('/login')}>{t('Go to Login')}</Button>
      </Group>
      <div className={classes.fields}>
        <List size="sm" spacing={6} c="dimmed">
          <List.Item>{t('Used it already? Your account exists: sign in with the password that you chose.')}</List.Item>
          <List.Item>{t('Got several mails? Open the newest: a new link replaces the old one.')}</List.Item>
          <List.Item>{t('Expired or revoked? Ask whoever invited you to send a new link.')}</List.Item>
          <List.Item>{rich('Still no way in? <a>Contact support</a>.', { a: linkToSupport })}</List.Item>
        </List>
      </div>
    </AuthLayout>
  )
}

/** The account form for an invited person: the address is fixed, everything else is theirs to choose. */
function AcceptInvitationForm({ token, invitation }: AcceptInvitationFormProps) {
  const navigate = useNavigate()
  const { form, submit, isBusy, generalError } = useMutationForm({
    initialValues: {
      email: invitation.email,
      first_name: invitation.first_name,
      last_name: invitation.last_name,
      username: suggestUsername(invitation.email),
      password: '',
      confirmation: '',
      isAgreed: false,
    },
    validate: (values) => validate({ ...values, token }),
    send: ({ first_name, last_name, username, password }) =>
      call(invitations.accept, { body: { token, first_name, last_name, username, password } }),
    sortErrors,
    onSuccess: async ({ requires_2fa_setup: isSetupNext, user_id: userId }) => {
      toastSuccess(
        isSetupNext ? t('Your account is ready. Two-factor authentication is next.') : t('Your account is ready.'),
        {
          durationMs: 4000,
        },
      )
      await navigate(isSetupNext ? `/registration-2fa?user_id=${userId}` : '/login')
    },
  })
  return (
    <AuthLayout
      title={t('You are invited')}
      subtitle={rich(
        '{role, select, admin {{inviter} invites you to Awaz as an admin.} super_admin {{inviter} invites you to Awaz as a super admin.} other {{inviter} invites you to Awaz.}} Choose a name and a password; two-factor authentication is next.',
        { role: invitation.role, inviter: <Isolated>{invitation.invited_by}</Isolated> },
      )}
    >
      <OtherSession email={invitation.email} />
      <form onSubmit={submit} noValidate className={classes.fields}>
        {generalError && (
          <Alert role="alert" color="red">
            {generalError}
          </Alert>
        )}
        <EmailField
          form={form}
          readOnly
          autoComplete="email"
          description={t('The invitation is for this address, which its link confirms.')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NameFields form={form} isOwn focusOn="page" />
        </SimpleGrid>
        <UsernameField form={form} autoComplete="username" />
        <PasswordPair form={form} />
        <TermsBox {...form.getInputProps('isAgreed', { type: 'checkbox' })} />
        <Button type="submit" size="md" fullWidth loading={isBusy}>
          {t('Create Account')}
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          {t('The link works until {moment}.', { moment: formatMoment(invitation.expires_at) })}
        </Text>
      </form>
    </AuthLayout>
  )
}

/** Checks the registration rules (accounts specification, section 5) and those of the contract. */
function validate(values: { token: string; password: string; confirmation: string; isAgreed: boolean }): FieldErrors {
  const isWeak = passwordStrength(values.password) < minStrength
  return {
    ...(isWeak && { password: t('Please choose a stronger password') }),
    ...(values.password !== values.confirmation && { confirmation: t('Passwords do not match') }),
    ...(!values.isAgreed && { isAgreed: t('You must agree to the terms and conditions') }),
    ...validateInput(invitations.accept.body, values),
  }
}

/** The address cannot be changed here, so an error about it is shown for the whole form. */
function sortErrors(error: unknown): FormErrors {
  if (error instanceof ApiError && error.code === 'email_taken') {
    return { fields: {}, general: t('An account with this address exists already. Please sign in with it.') }
  }
  return registrationErrors(error)
}

/** Says whose session this browser has, since the new account is a different one. */
function OtherSession({ email }: { email: string }) {
  const session = useSession()
  const actions = useSessionActions()
  if (session.status !== 'signed_in') return null
  return (
    <Alert color="amber" title={t('You are signed in as {email}', { email: session.user.email })}>
      {t('This makes another account, for {email}.', { email })}{' '}
      <Anchor
        component="button"
        type="button"
        inherit
        underline="always"
        onClick={() => void actions.signOut().catch(() => toastError(t('Logout failed')))}
      >
        {t('Sign out first')}
      </Anchor>
    </Alert>
  )
}
