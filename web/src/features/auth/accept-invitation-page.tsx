import { Button, Group, List, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { invitations } from '#contract/endpoints/invitations.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { AcceptInvitationForm } from './accept-invitation-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { linkToSupport } from './link-to-support.tsx'

/** Where the link of an invitation leads: creates the account, and goes on to two-factor set-up. */
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
    // What the form holds never changes under it.
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
