import { useState } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { faultsOf, resetRules } from '../../shared/password/rules.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'

export type ForgotStep = 'email' | 'code' | 'reset'

/** The toast of a failed step: the step's own message, unless no answer came at all (accounts specification, section 8). */
function complain(error: unknown, message: string) {
  const isNetwork = error instanceof ApiError && error.status === 0
  toastError(isNetwork ? 'Network error. Please try again.' : message)
}

/** Whether a new password may be sent; says each fault in a toast of its own (accounts specification, section 5). */
export function checkNewPassword(password: string, confirmation: string): boolean {
  const faults = faultsOf(password, resetRules)
  if (password !== confirmation) faults.push('Passwords do not match')
  for (const fault of faults) toastError(fault)
  return faults.length === 0
}

/** The three steps of a forgotten password (accounts specification, section 4). `onDone` runs after the last. */
export function useForgotPassword(onDone: () => void) {
  const [step, setStep] = useState<ForgotStep>('email')
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [isBusy, setIsBusy] = useState(false)

  async function attempt(work: () => Promise<unknown>, failure: string): Promise<boolean> {
    setIsBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      complain(error, failure)
      return false
    } finally {
      setIsBusy(false)
    }
  }

  async function sendCode() {
    if (!email.trim()) return toastError('Please enter your email address')
    const isSent = await attempt(() => call(auth.forgotPassword, { body: { email } }), 'Failed to send reset code')
    if (!isSent) return
    toastSuccess('Password reset code sent to your email')
    setStep('code')
  }

  async function resendCode() {
    const isSent = await attempt(() => call(auth.forgotPassword, { body: { email } }), 'Failed to resend code')
    if (isSent) toastSuccess('New code sent to your email')
  }

  async function checkCode() {
    if (!/^\d{6}$/.test(code)) return toastError('Please enter a valid 6-digit code')
    const isRight = await attempt(
      () => call(auth.verifyResetCode, { body: { email, code } }),
      'Invalid or expired code',
    )
    if (!isRight) return
    toastSuccess('Code verified successfully!')
    setStep('reset')
  }

  async function reset(password: string, confirmation: string) {
    if (!checkNewPassword(password, confirmation)) return
    const body = { email, code, new_password: password }
    if (!(await attempt(() => call(auth.resetPassword, { body }), 'Failed to reset password'))) return
    toastSuccess('Password reset successfully! You can now log in with your new password.')
    onDone()
  }

  return { step, setStep, email, setEmail, code, setCode, isBusy, sendCode, resendCode, checkCode, reset }
}
