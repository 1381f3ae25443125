import { Button, Text, Title } from '@mantine/core'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { useResend } from '../../shared/session/use-resend.ts'
import { Logo } from '../../shared/ui/logo.tsx'
import { useTitle } from '../../shared/use-title.ts'
import classes from './security.module.css'

/** The gate when the server requires a verified address (accounts specification, section 2), with resend and sign-out. */
export function VerificationRequiredPage() {
  const session = useSessionActions()
  const { email } = useUser()
  const { resend, isBusy, secondsLeft } = useResend(email)
  useTitle('Email Verification Required')
  return (
    <main className={classes.single}>
      <div className={classes.singleInner}>
        <Logo />
        <div>
          <Title order={1}>Email Verification Required</Title>
          <Text c="dimmed" mt={4}>
            Please open the link we sent to <strong>{email}</strong>, then come back here.
          </Text>
        </div>
        <Button onClick={() => window.location.reload()}>I&apos;ve Verified My Email</Button>
        <Button variant="default" loading={isBusy} disabled={secondsLeft > 0} onClick={() => void resend()}>
          {secondsLeft > 0 ? `Resend in ${secondsLeft}s` : 'Resend Verification Email'}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => void session.signOut().catch(() => undefined)}>
          Sign Out
        </Button>
      </div>
    </main>
  )
}
