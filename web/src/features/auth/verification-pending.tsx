import { Alert, Anchor, Button, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useServerConfig } from '../../shared/config.ts'
import { useResend } from '../../shared/session/use-resend.ts'
import { rich } from '../../shared/texts/rich.tsx'
import classes from './auth.module.css'

interface VerificationPendingProps {
  email: string
  message?: string
  onBack: () => void
}

/** Shows where the verification link was sent, and can resend it. */
export function VerificationPending({ email, message, onBack }: VerificationPendingProps) {
  const { resend, isBusy, secondsLeft } = useResend(email)
  const isSent = useServerConfig()?.is_smtp_configured !== false
  return (
    <div className={classes.fields}>
      {message && <Alert color="accent">{message}</Alert>}
      <Text>
        {isSent
          ? rich('The verification link was sent to {email}. It expires in 24 hours.', {
              email: <strong>{email}</strong>,
            })
          : rich('There is a verification link for {email}. It expires in 24 hours.', {
              email: <strong>{email}</strong>,
            })}
      </Text>
      <NoMailNotice>
        {t('Ask your administrator for the verification link: it waits on the page Mail of the administration.')}
      </NoMailNotice>
      <Button size="md" fullWidth loading={isBusy} disabled={secondsLeft > 0} onClick={() => void resend()}>
        {secondsLeft > 0 ? t('Resend in {secondsLeft, number}s', { secondsLeft }) : t('Resend Verification Email')}
      </Button>
      <Anchor component="button" type="button" size="sm" ta="center" onClick={onBack}>
        {t('Back to Login')}
      </Anchor>
    </div>
  )
}

/** Says whom to ask if no mail server is configured: mails then wait in the super admin's outbox. */
export function NoMailNotice({ children }: { children: string }) {
  const config = useServerConfig()
  if (!config || config.is_smtp_configured) return null
  return (
    <Alert color="amber" title={t('This server sends no e-mail')}>
      {children}
    </Alert>
  )
}
