import { useState } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import type { SecondFactorChoice } from '#contract/second-factor.ts'
import { t } from '#contract/texts/t.ts'
import { isConfirmationTooOld } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { TwoFactorWizard } from '../../shared/two-factor/two-factor-wizard.tsx'
import type { TwoFactorSetup } from '../../shared/two-factor/use-two-factor-setup.ts'
import { ConfirmPassword } from './confirm-password.tsx'

interface TwoFactorSetUpProps {
  /** A set-up that the server has already begun. Default: one begins when this is shown. */
  prepared?: TwoFactorSetup
  onComplete: () => void
  onCancel: () => void
}

/** The set-up for signed-in users. If the confirmation expires on the way, asks for the password in place and continues. */
export function TwoFactorSetUp(props: TwoFactorSetUpProps) {
  const [settle, setSettle] = useState<(isConfirmed: boolean) => void>()

  async function begin(choice?: SecondFactorChoice): Promise<TwoFactorSetup> {
    try {
      return await enable(choice)
    } catch (error) {
      if (!isConfirmationTooOld(error)) throw error
      // Wrapped, because a state setter calls a function passed to it.
      const isConfirmed = await new Promise<boolean>((resolve) => setSettle(() => resolve))
      setSettle(undefined)
      if (!isConfirmed) throw error
      return await enable(choice)
    }
  }

  return (
    <>
      {settle && (
        <ConfirmPassword confirmLabel={t('Continue')} onConfirmed={() => settle(true)} onCancel={() => settle(false)} />
      )}
      {/* It stays mounted: what was typed into it is sent after the question. */}
      <div hidden={settle !== undefined}>
        <TwoFactorWizard
          variant="signed_in"
          begin={begin}
          verify={(token) => call(profile.verifyTwoFactor, { body: { token } })}
          {...props}
        />
      </div>
    </>
  )
}

const enable = (choice?: SecondFactorChoice) => call(profile.enableTwoFactor, choice ? { body: choice } : {})
