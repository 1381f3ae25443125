import type { SecondFactorChoice } from '#contract/second-factor.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toastError } from '../toast.tsx'

export interface TwoFactorSetup {
  /** An image as a data address. */
  qr_code: string
  secret: string
  backup_codes: string[]
}

interface SetupOptions {
  begin: (choice?: SecondFactorChoice) => Promise<TwoFactorSetup>
  /** Returns the message of a failed start. */
  describeStartError: (error: unknown) => string
  onStartError: () => void
}

/** State of the wizard: the set-up starts by itself and is requested once, so that going back shows the same secret. */
export function useTwoFactorSetup({ begin, describeStartError, onStartError }: SetupOptions) {
  const [setup, setSetup] = useState<TwoFactorSetup>()
  const [step, setStep] = useState(0)
  const [isPrinted, setIsPrinted] = useState(false)
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

  /** Begins again with what the user has instead of an app, which replaces the secret. */
  async function choose(choice: SecondFactorChoice): Promise<void> {
    setSetup(await begin(choice))
    setIsPrinted(choice.kind === 'printed_codes')
    setStep(1)
  }

  return { setup, step, isPrinted, goToStep: setStep, choose }
}
