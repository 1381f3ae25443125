import { useState } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../api/client.ts'
import { useServerConfig } from '../config.ts'
import { useResendCooldown } from '../resend-cooldown.ts'
import { toastError, toastSuccess } from '../toast.tsx'

/** Says where the mail went: a server without a mail server keeps it for the administrator. */
export function resentMessage(config: { is_smtp_configured: boolean } | undefined): string {
  if (config?.is_smtp_configured === false) return t('A new link was made. Ask your administrator for it.')
  return t('Verification email sent! Please check your inbox.')
}

/** Asks for the verification mail again. */
export function useResend(email: string) {
  const cooldown = useResendCooldown(email)
  const config = useServerConfig()
  const [isBusy, setIsBusy] = useState(false)

  async function resend() {
    setIsBusy(true)
    try {
      await call(auth.resendVerification, { body: { email } })
      cooldown.start()
      toastSuccess(resentMessage(config))
    } catch {
      toastError(t('Failed to resend verification email'))
    } finally {
      setIsBusy(false)
    }
  }
  return { resend, isBusy, secondsLeft: cooldown.secondsLeft }
}
