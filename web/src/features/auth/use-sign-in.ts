import { useState } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastError, toastInfo, toastSuccess } from '../../shared/toast.tsx'
import { useCountdown } from '../../shared/use-countdown.ts'
import { defaultLockSeconds, signInMessage } from './sign-in-errors.ts'

export interface Credentials {
  email: string
  password: string
  rememberMe: boolean
}

export type SignInMode = 'password' | 'two_factor' | 'verification'

/** Signing in with its three outcomes, failed attempts and lock (accounts specification, section 4). */
export function useSignIn() {
  const session = useSessionActions()
  const lock = useCountdown()
  const [mode, setMode] = useState<SignInMode>('password')
  const [error, setError] = useState('')
  const [notice, setNotice] = useState('')
  const [failedAttempts, setFailedAttempts] = useState(0)
  const [isBusy, setIsBusy] = useState(false)

  async function submit(credentials: Credentials, code?: string) {
    setIsBusy(true)
    setError('')
    try {
      await attempt(credentials, code)
    } catch (cause) {
      fail(cause)
    } finally {
      setIsBusy(false)
    }
  }

  async function attempt({ email, password, rememberMe }: Credentials, code?: string) {
    const body = { email, password, remember_me: rememberMe, ...(code && { totp_token: code }) }
    const result = await call(auth.signIn, { body })
    if ('requires_2fa' in result) {
      setMode('two_factor')
      toastInfo('Please enter your 2FA code')
    } else if ('requires_verification' in result) {
      setNotice(result.message)
      setMode('verification')
    } else {
      setFailedAttempts(0)
      toastSuccess('Login successful!')
      session.enter(result, result.user)
    }
  }

  function fail(cause: unknown) {
    const message = signInMessage(cause)
    setError(message)
    toastError(message || 'Login failed')
    if (!(cause instanceof ApiError)) return
    if (cause.status === 401) setFailedAttempts((count) => count + 1)
    if (cause.status === 423) lock.start(cause.remainingSeconds ?? defaultLockSeconds)
  }

  const isLocked = lock.secondsLeft > 0

  function backToPassword() {
    setMode('password')
    // A lock stays in sight with its countdown.
    if (!isLocked) setError('')
  }

  return {
    mode,
    // The lock's own message goes with the lock.
    error: error.startsWith('Account temporarily locked') && !isLocked ? '' : error,
    dismissError: () => setError(''),
    notice,
    failedAttempts,
    isBusy,
    isLocked,
    lockSecondsLeft: lock.secondsLeft,
    submit,
    backToPassword,
  }
}
