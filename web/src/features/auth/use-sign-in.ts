import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { auth, type SignInResult } from '#contract/endpoints/auth.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastError, toastInfo, toastSuccess } from '../../shared/toast.tsx'
import { useCountdown } from '../../shared/use-countdown.ts'
import { defaultLockSeconds, signInMessage } from './sign-in-errors.ts'

export interface Credentials {
  email: string
  password: string
  remember_me: boolean
}

export type SignInMode = 'password' | 'two_factor' | 'verification'

interface SignInAttempt {
  by: 'password' | 'passkey'
  send: () => Promise<z.infer<typeof SignInResult>>
}

/** Handles signing in, with its three outcomes, failed attempts and lock (accounts specification, section 4). */
export function useSignIn() {
  const session = useSessionActions()
  const lock = useCountdown()
  const [mode, setMode] = useState<SignInMode>('password')
  const [error, setError] = useState<unknown>()
  const [notice, setNotice] = useState('')
  const [methods, setMethods] = useState<readonly string[]>([])
  const [failedAttempts, setFailedAttempts] = useState(0)

  const attempt = useMutation({
    mutationFn: ({ send }: SignInAttempt) => send(),
    onMutate: () => setError(undefined),
    onSuccess: (result) => {
      if ('requires_2fa' in result) {
        setMode('two_factor')
        setMethods(result.methods)
        if (result.methods.includes('code')) toastInfo(t('Please enter your 2FA code'))
      } else if ('requires_verification' in result) {
        setNotice(result.message)
        setMode('verification')
      } else {
        setFailedAttempts(0)
        toastSuccess(t('Login successful!'))
        session.enter(result, result.user)
      }
    },
    onError: (cause) => {
      setError(cause)
      toastError(signInMessage(cause) || t('Login failed'))
      if (!(cause instanceof ApiError)) return
      if (cause.status === 401) setFailedAttempts((count) => count + 1)
      if (cause.status === 423) lock.start(cause.remainingSeconds ?? defaultLockSeconds)
    },
  })

  const isLocked = lock.secondsLeft > 0
  // The message about the lock disappears when the lock ends.
  const isLockOver = error instanceof ApiError && error.status === 423 && !isLocked

  function backToPassword() {
    setMode('password')
    // A lock stays visible with its countdown.
    if (!isLocked) setError(undefined)
  }

  return {
    mode,
    error: error === undefined || isLockOver ? '' : signInMessage(error),
    dismissError: () => setError(undefined),
    notice,
    failedAttempts,
    /** The second factors of the account. */
    methods,
    busyWith: attempt.isPending ? attempt.variables.by : undefined,
    lockSecondsLeft: lock.secondsLeft,
    submit: (credentials: Credentials, code?: string) =>
      attempt.mutate({
        by: 'password',
        send: () => call(auth.signIn, { body: { ...credentials, ...(code && { totp_token: code }) } }),
      }),
    submitPasskey: (rememberMe: boolean) =>
      attempt.mutate({
        by: 'passkey',
        // Loaded lazily, since few visits use a passkey.
        send: async () => (await import('../security/passkeys-ceremony.ts')).signInWithPasskey(rememberMe),
      }),
    backToPassword,
  }
}
