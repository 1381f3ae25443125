import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { auth } from '#contract/endpoints/auth.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { AuthLayout } from './auth-layout.tsx'

/** The target of the link in the mail about a new address. It requires a click, because mail filters open links to check them. */
export function StopEmailChangePage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const session = useSessionActions()
  const token = search.get('token') ?? ''
  const stop = useMutation({
    mutationFn: () => call(auth.stopEmailChange, { body: { token } }),
    // The user signed in here no longer has a pending address.
    onSuccess: () => session.reload(),
  })
  if (token === '') {
    return (
      <AuthLayout
        title={t('This link is incomplete')}
        subtitle={t('Open the link in the e-mail again, or copy all of it into the address bar.')}
      >
        <Button onClick={() => void navigate('/dashboard')}>{t('Go to Dashboard')}</Button>
      </AuthLayout>
    )
  }
  if (stop.isSuccess) {
    return (
      <AuthLayout
        title={t('You keep your e-mail address')}
        subtitle={t('The change was cancelled. Your e-mail still goes to the same address.')}
      >
        <Button onClick={() => void navigate('/dashboard')}>{t('Go to Dashboard')}</Button>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={t('Keep your e-mail address')}
      subtitle={t(
        'An administrator is changing the e-mail address of your account. If you did not ask for this, keep the one you have.',
      )}
    >
      {stop.isError && (
        <Alert color="red" role="alert">
          {messageOf(stop.error, t('Network error. Please try again.'))}
        </Alert>
      )}
      <Button loading={stop.isPending} onClick={() => stop.mutate()}>
        {t('Keep my address')}
      </Button>
      <Button variant="default" onClick={() => void navigate('/dashboard')}>
        {t('Go to Dashboard')}
      </Button>
    </AuthLayout>
  )
}
