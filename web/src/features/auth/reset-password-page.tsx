import { Anchor } from '@mantine/core'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { auth } from '#contract/endpoints/auth.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { AuthLayout } from './auth-layout.tsx'
import { NewPasswordForm } from './new-password-form.tsx'

/** The target of a reset mail's link; goes to /dashboard without a token and when done (accounts specification, section 2). */
export function ResetPasswordPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const session = useSessionActions()
  const token = search.get('token')
  if (!token) return <Navigate to="/dashboard" replace />

  async function leave() {
    // The reset ended all sessions, including this browser's.
    session.leave()
    await navigate('/dashboard')
  }

  return (
    <AuthLayout
      title={t('Reset Password')}
      subtitle={t('Choose a new password. All your sessions end when it is set.')}
    >
      <NewPasswordForm
        send={(password) => call(auth.resetPassword, { body: { token, new_password: password } })}
        onDone={leave}
      />
      <Anchor component="button" type="button" size="sm" ta="center" onClick={() => void navigate('/dashboard')}>
        {t('Back to Login')}
      </Anchor>
    </AuthLayout>
  )
}
