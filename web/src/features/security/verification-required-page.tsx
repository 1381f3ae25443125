import { Button, Stack, Text, Title } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useSessionActions, useUser } from '../../shared/session/session.ts'
import { useResend } from '../../shared/session/use-resend.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Logo } from '../../shared/ui/logo.tsx'
import { useTitle } from '../../shared/use-title.ts'
import classes from './security.module.css'

/** The gate when the server requires a verified address (accounts specification, section 2), with resend and sign-out. */
export function VerificationRequiredPage() {
  const session = useSessionActions()
  const { email } = useUser()
  const { resend, isBusy, secondsLeft } = useResend(email)
  useTitle(t('Email Verification Required'))
  return (
    <main className={classes.single}>
      <Stack gap="lg" w="100%" maw={448}>
        <Logo />
        <div>
          <Title order={1}>{t('Email Verification Required')}</Title>
          <Text c="dimmed" mt={4}>
            {rich('Please open the link we sent to {email}, then come back here.', { email: <strong>{email}</strong> })}
          </Text>
        </div>
        <Button onClick={() => window.location.reload()}>{t("I've Verified My Email")}</Button>
        <Button variant="default" loading={isBusy} disabled={secondsLeft > 0} onClick={() => void resend()}>
          {secondsLeft > 0 ? t('Resend in {secondsLeft, number}s', { secondsLeft }) : t('Resend Verification Email')}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => void session.signOut().catch(() => undefined)}>
          {t('Sign Out')}
        </Button>
      </Stack>
    </main>
  )
}
