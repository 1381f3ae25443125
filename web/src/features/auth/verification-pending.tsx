import { Alert, Anchor, Button, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useServerConfig } from '../../shared/config.ts'
import { useResend } from '../../shared/session/use-resend.ts'
import classes from './auth.module.css'

interface VerificationPendingProps {
  email: string
  message?: string
  onBack: () => void
}

/** Shows where the verification link was sent, and sends it again. */
export function VerificationPending({ email, message, onBack }: VerificationPendingProps) {
  const { resend, isBusy, secondsLeft } = useResend(email)
  const isSent = useServerConfig()?.is_smtp_configured !== false
  return (
    <div className={classes.fields}>
      {message && <Alert color="accent">{message}</Alert>}
      <Text>
        {isSent ? 'The verification link was sent to' : 'There is a verification link for'} <strong>{email}</strong>. It
        expires in 24 hours.
      </Text>
      <NoMailNotice what={t('the verification link')} />
      <Button size="md" fullWidth loading={isBusy} disabled={secondsLeft > 0} onClick={() => void resend()}>
        {secondsLeft > 0 ? t('Resend in {secondsLeft}s', { secondsLeft }) : t('Resend Verification Email')}
      </Button>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        {t('Back to Login')}
      </Anchor>
    </div>
  )
}

/** Where no mail server is configured, mails wait in the super admin's outbox: names whom to ask. */
export function NoMailNotice({ what }: { what: string }) {
  const config = useServerConfig()
  if (!config || config.is_smtp_configured) return null
  return (
    <Alert color="amber" title={t('This server sends no e-mail')}>
      Ask your administrator for {what}: it waits on the page Mail of the administration.
    </Alert>
  )
}
