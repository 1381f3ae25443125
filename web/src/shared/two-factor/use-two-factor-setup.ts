import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messageOf } from '../api/api-error.ts'
import { toastError, toastSuccess } from '../toast.tsx'

export interface TwoFactorSetup {
  /** An image as a data address. */
  qr_code: string
  secret: string
  backup_codes: string[]
}

interface SetupOptions {
  begin: () => Promise<TwoFactorSetup>
  verify: (code: string) => Promise<unknown>
  /** What a failed start says. */
  startFailure: (error: unknown) => string
  onFailedStart: () => void
}

/** State of the wizard: the set-up starts by itself and is asked for once, so that going back shows the same secret. */
export function useTwoFactorSetup({ begin, verify, startFailure, onFailedStart }: SetupOptions) {
  const [setup, setSetup] = useState<TwoFactorSetup>()
  const [step, setStep] = useState(0)
  const [fault, setFault] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const hasBegun = useRef(false)

  const start = useEffectEvent(async () => {
    try {
      setSetup(await begin())
    } catch (error) {
      toastError(startFailure(error))
      onFailedStart()
    }
  })

  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    void start()
  }, [])

  async function submitCode(code: string) {
    if (!/^\d{6}$/.test(code)) return setFault('Please enter a 6-digit verification code')
    setIsBusy(true)
    setFault('')
    try {
      await verify(code)
      toastSuccess('2FA verification successful!')
      setStep(2)
    } catch (error) {
      setFault('Invalid verification code. Please try again.')
      toastError(messageOf(error, 'Verification failed'))
    } finally {
      setIsBusy(false)
    }
  }

  return {
    setup,
    step,
    fault,
    isBusy,
    next: () => setStep(1),
    back: () => setStep(0),
    submitCode: (code: string) => void submitCode(code),
  }
}
