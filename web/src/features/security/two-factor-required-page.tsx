import { Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useDisclosure } from '@mantine/hooks'
import { profile } from '#contract/endpoints/profile.ts'
import { t } from '#contract/texts/t.ts'
import { isConfirmationTooOld, isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastError } from '../../shared/toast.tsx'
import { SecondFactorOptions } from '../../shared/two-factor/second-factor-options.tsx'
import type { TwoFactorSetup } from '../../shared/two-factor/use-two-factor-setup.ts'
import { Logo } from '../../shared/ui/logo.tsx'
import { useTitle } from '../../shared/use-title.ts'
import { ConfirmPassword } from './confirm-password.tsx'
import { canUsePasskeys } from './passkeys-support.ts'
import classes from './security.module.css'
import { TwoFactorSetUp } from './two-factor-set-up.tsx'
import { AddPasskeyDialog } from './passkeys-add-dialog.tsx'

/** Offers a passkey instead of an authenticator app, if the browser can create one. */
function PasskeyInstead() {
  const [isAdding, adding] = useDisclosure(false)
  if (!canUsePasskeys()) return null
  return (
    <>
      <Button variant="default" onClick={adding.open}>
        {t('Use a passkey instead')}
      </Button>
      <AddPasskeyDialog isOpen={isAdding} onClose={adding.close} />
    </>
  )
}

/** The gate when the server requires two-factor authentication: offers the set-up itself. */
export function TwoFactorRequiredPage() {
  const session = useSessionActions()
  useTitle(t('Two-Factor Authentication Required'))
  return (
    <main className={classes.single}>
      <Stack gap="lg" w="100%" maw={448}>
        <Logo />
        <div>
          <Title order={1}>{t('Two-Factor Authentication Required')}</Title>
          <Text c="dimmed" mt={4}>
            {t('This server requires a second factor before you can go on.')}
          </Text>
        </div>
        <SetUp />
        <Button variant="subtle" color="gray" onClick={() => void session.signOut().catch(() => undefined)}>
          {t('Sign Out')}
        </Button>
      </Stack>
    </main>
  )
}

/** Asks for the password only if the last confirmation is too old. */
function SetUp() {
  const session = useSessionActions()
  const [setup, setSetup] = useState<TwoFactorSetup>()
  const [isConfirming, setIsConfirming] = useState(false)

  async function begin() {
    try {
      setSetup(await call(profile.enableTwoFactor))
      setIsConfirming(false)
    } catch (error) {
      if (isConfirmationTooOld(error)) setIsConfirming(true)
      else if (!isSessionExpired(error)) toastError(messageOf(error, t('Failed to enable 2FA')))
    }
  }

  if (setup) {
    return (
      <TwoFactorSetUp prepared={setup} onComplete={() => void session.reload()} onCancel={() => setSetup(undefined)} />
    )
  }
  if (isConfirming) {
    return <ConfirmPassword confirmLabel={t('Continue')} onConfirmed={begin} onCancel={() => setIsConfirming(false)} />
  }
  return (
    <>
      <SecondFactorOptions hasPasskeys={canUsePasskeys()} />
      <Button onClick={() => void begin()}>{t('Enable 2FA')}</Button>
      <PasskeyInstead />
    </>
  )
}
