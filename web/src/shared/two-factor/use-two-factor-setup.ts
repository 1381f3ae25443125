import type { SecondFactorChoice } from '#contract/second-factor.ts'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { toastError } from '../toast.tsx'

export interface TwoFactorSetup {
  /** An image as a data URL. */
  qr_code: string
  secret: string
  backup_codes: string[]
}

interface SetupOptions {
  /** A set-up that has already begun; if undefined, one begins automatically. */
  prepared: TwoFactorSetup | undefined
  begin: (choice?: SecondFactorChoice) => Promise<TwoFactorSetup>
  /** Returns the message of a failed start. */
  describeStartError: (error: unknown) => string
  onStartError: () => void
}

/** State of the wizard: the set-up is requested only once, so that going back from the code step shows the same secret. */
export function useTwoFactorSetup({ prepared, begin, describeStartError, onStartError }: SetupOptions) {
  const [setup, setSetup] = useState(prepared)
  const [step, setStep] = useState(0)
  const [isPrinted, setIsPrinted] = useState(false)
  const hasBegun = useRef(prepared !== undefined)

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

  /** Starts over with what the user has instead of an app, which replaces the secret. */
  async function choose(choice: SecondFactorChoice): Promise<void> {
    setSetup(await begin(choice))
    setIsPrinted(choice.kind === 'printed_codes')
    setStep(1)
  }

  /** Starts over with a secret to scan, which replaces the earlier choice. */
  async function startAgain(): Promise<void> {
    setSetup(await begin())
    setIsPrinted(false)
    setStep(0)
  }

  return { setup, step, isPrinted, goToStep: setStep, choose, startAgain }
}
