import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { auth } from '#contract/endpoints/auth.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { TwoFactorWizard } from '../../shared/two-factor/two-factor-wizard.tsx'
import { AuthLayout } from './auth-layout.tsx'

/** Two-factor setup right after verification (accounts specification, section 2). */
export function RegistrationTwoFactorPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const userId = search.get('user_id')
  if (!userId) return <Navigate to="/dashboard" replace />
  return (
    <AuthLayout title={t('Set Up Two-Factor Authentication')} subtitle={t('The last step of your registration.')}>
      <TwoFactorWizard
        variant="registration"
        begin={(choice) => call(auth.setUpRegistrationTwoFactor, { body: { user_id: userId, ...choice } })}
        verify={(code) => call(auth.verifyRegistrationTwoFactor, { body: { user_id: userId, totp_token: code } })}
        onComplete={() => void navigate('/')}
        onCancel={() => void navigate('/dashboard')}
      />
    </AuthLayout>
  )
}
