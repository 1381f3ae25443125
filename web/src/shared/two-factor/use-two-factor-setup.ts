import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toastError } from '../toast.tsx'

export interface TwoFactorSetup {
  /** An image as a data address. */
  qr_code: string
  secret: string
  backup_codes: string[]
}

interface SetupOptions {
  begin: (seed?: string) => Promise<TwoFactorSetup>
  /** Returns the message of a failed start. */
  describeStartError: (error: unknown) => string
  onStartError: () => void
}

/** State of the wizard: the set-up starts by itself and is requested once, so that going back shows the same secret. */
export function useTwoFactorSetup({ begin, describeStartError, onStartError }: SetupOptions) {
  const [setup, setSetup] = useState<TwoFactorSetup>()
  const [step, setStep] = useState(0)
  const hasBegun = useRef(false)

  const start = useEffectEvent(async () => {
    try {
      setSetup(await begin())
    } catch (error) {
      toastError(describeStartError(error))
      onStartError()
    }
  })

  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    void start()
  }, [])

  /** Begins again with the seed of a token that the user has, which replaces the secret. */
  async function applySeed(seed: string): Promise<void> {
    setSetup(await begin(seed))
    setStep(1)
  }

  return { setup, step, goToStep: setStep, applySeed }
}
