import { useState } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import { call } from '../api/client.ts'
import { useResendCooldown } from '../resend-cooldown.ts'
import { toastError, toastSuccess } from '../toast.tsx'

/** Asks for the verification mail again. */
export function useResend(email: string) {
  const cooldown = useResendCooldown(email)
  const [isBusy, setIsBusy] = useState(false)

  async function resend() {
    setIsBusy(true)
    try {
      await call(auth.resendVerification, { body: { email } })
      cooldown.start()
      toastSuccess('Verification email sent! Please check your inbox.')
    } catch {
      toastError('Failed to resend verification email')
    } finally {
      setIsBusy(false)
    }
  }
  return { resend, isBusy, secondsLeft: cooldown.secondsLeft }
}
