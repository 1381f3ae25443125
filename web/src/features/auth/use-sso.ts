import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { sso, type SsoResult } from '#contract/endpoints/sso.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { takeReturnPath } from '../../shared/session/return-path.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { useCountdown } from '../../shared/use-countdown.ts'
import { defaultLockSeconds } from './sign-in-errors.ts'

/** What is still required after the provider has confirmed the user's identity. */
export type SsoStep = Extract<SsoResult, { requires_2fa: true }> | Extract<SsoResult, { requires_link: true }>

/** Whether the same ticket can be used again: after a wrong entry, a lock or a network failure. */
function canRepeat(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return !['sso_denied', 'account_deactivated'].includes(error.code ?? '')
}

/** Signs in with a ticket: the user is signed in, or asked for a code or for proof that links an account. */
export function useSso() {
  const session = useSessionActions()
  const navigate = useNavigate()
  const lock = useCountdown()
  const [step, setStep] = useState<SsoStep>()
  const [error, setError] = useState<unknown>()

  /** Handles the result of any call: signs the user in, or asks for what is missing. */
  function accept(result: SsoResult) {
    setError(undefined)
    if (!('user' in result)) {
      setStep(result)
      return
    }
    toastSuccess(t('Login successful!'))
    session.enter(result, result.user)
    void navigate(takeReturnPath(), { replace: true })
  }

  /** Shows an error; an error that ends the sign-in returns to its start. */
  function fail(cause: unknown) {
    setError(cause)
    if (cause instanceof ApiError && cause.status === 423) lock.start(cause.remainingSeconds ?? defaultLockSeconds)
    if (!canRepeat(cause)) setStep(undefined)
  }

  const finish = useMutation({
    mutationFn: (proof: { totp_token?: string; password?: string }) =>
      call(sso.finish, { body: { ticket: step?.ticket ?? '', ...proof } }),
    onMutate: () => setError(undefined),
    onSuccess: accept,
    onError: fail,
  })

  function cancel() {
    setStep(undefined)
    setError(undefined)
  }

  const isLockOver = error instanceof ApiError && error.status === 423 && lock.secondsLeft === 0
  return {
    step,
    /** The last error, until dismissed or the next call; an error about a lock disappears when the lock ends. */
    error: isLockOver ? undefined : error,
    dismissError: () => setError(undefined),
    lockSecondsLeft: lock.secondsLeft,
    isBusy: finish.isPending,
    accept,
    fail,
    prove: finish.mutate,
    cancel,
  }
}

export type Sso = ReturnType<typeof useSso>
