import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { auth } from '#contract/endpoints/auth.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { checkNewPassword } from './use-forgot-password.ts'

/** The link of a reset mail; without its token, and when done, leads to /dashboard (accounts specification, section 2). */
export function ResetPasswordPage() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const session = useSessionActions()
  const [isBusy, setIsBusy] = useState(false)
  const token = search.get('token')
  if (!token) return <Navigate to="/dashboard" replace />

  async function reset(token: string, password: string, confirmation: string) {
    if (!checkNewPassword(password, confirmation)) return
    setIsBusy(true)
    try {
      await call(auth.resetPassword, { body: { token, new_password: password } })
      toastSuccess('Password reset successfully! You can now log in with your new password.')
      // All sessions ended with the old password, this browser's too.
      session.leave()
      await navigate('/dashboard')
    } catch (error) {
      const isNetwork = error instanceof ApiError && error.status === 0
      toastError(isNetwork ? 'Network error. Please try again.' : 'Failed to reset password')
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <AuthLayout title="Reset Password" subtitle="Choose a new password. All your sessions end when it is set.">
      <NewPasswordFields isBusy={isBusy} onSubmit={(one, two) => void reset(token, one, two)} />
      <Anchor component="button" type="button" size="sm" ta="center" onClick={() => void navigate('/dashboard')}>
        Back to Login
      </Anchor>
    </AuthLayout>
  )
}
