import { Button, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import { call } from '../../shared/api/client.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { TwoFactorWizard } from '../../shared/two-factor/two-factor-wizard.tsx'
import { Logo } from '../../shared/ui/logo.tsx'
import { useTitle } from '../../shared/use-title.ts'
import { PasswordGate } from './confirm-password.tsx'
import classes from './security.module.css'

/** The gate when the server asks for two-factor: the set-up can be done right here. */
export function TwoFactorRequiredPage() {
  const session = useSessionActions()
  const [isOpen, setIsOpen] = useState(false)
  useTitle('Two-Factor Authentication Required')
  return (
    <main className={classes.single}>
      <div className={classes.singleInner}>
        <Logo />
        <div>
          <Title order={1}>Two-Factor Authentication Required</Title>
          <Text c="dimmed" mt={4}>
            This server asks for a second factor before anything else opens.
          </Text>
        </div>
        {isOpen ? (
          <PasswordGate onCancel={() => setIsOpen(false)}>
            <TwoFactorWizard
              variant="signed_in"
              begin={() => call(profile.enableTwoFactor)}
              verify={(token) => call(profile.verifyTwoFactor, { body: { token } })}
              onComplete={() => void session.reload()}
              onCancel={() => setIsOpen(false)}
            />
          </PasswordGate>
        ) : (
          <Button onClick={() => setIsOpen(true)}>Enable 2FA</Button>
        )}
        <Button variant="subtle" color="gray" onClick={() => void session.signOut().catch(() => undefined)}>
          Sign Out
        </Button>
      </div>
    </main>
  )
}
