import { useState } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import { call } from '../../shared/api/client.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { useCountdown } from '../../shared/use-countdown.ts'

/** A new verification mail can be asked for once a minute (accounts specification, section 9). */
const cooldownSeconds = 60

/** Asks for the verification mail again. */
export function useResend(email: string) {
  const cooldown = useCountdown()
  const [isBusy, setIsBusy] = useState(false)

  async function resend() {
    setIsBusy(true)
    try {
      await call(auth.resendVerification, { body: { email } })
      cooldown.start(cooldownSeconds)
      toastSuccess('Verification email sent! Please check your inbox.')
    } catch {
      toastError('Failed to resend verification email')
    } finally {
      setIsBusy(false)
    }
  }
  return { resend, isBusy, secondsLeft: cooldown.secondsLeft }
}
