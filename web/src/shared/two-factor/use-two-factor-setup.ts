import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toastError } from '../toast.tsx'

export interface TwoFactorSetup {
  /** An image as a data address. */
  qr_code: string
  secret: string
  backup_codes: string[]
}

interface SetupOptions {
  begin: () => Promise<TwoFactorSetup>
  /** What a failed start says. */
  startFailure: (error: unknown) => string
  onFailedStart: () => void
}

/** State of the wizard: the set-up starts by itself and is asked for once, so that going back shows the same secret. */
export function useTwoFactorSetup({ begin, startFailure, onFailedStart }: SetupOptions) {
  const [setup, setSetup] = useState<TwoFactorSetup>()
  const [step, setStep] = useState(0)
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

  return { setup, step, goToStep: setStep }
}
