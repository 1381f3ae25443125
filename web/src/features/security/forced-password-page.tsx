import { Button, Stack, Text, Title } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { Logo } from '../../shared/ui/logo.tsx'
import { useTitle } from '../../shared/use-title.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import classes from './security.module.css'

/** Asks for a new password if someone else chose the current one; nothing else opens until then. */
export function ForcedPasswordPage() {
  const session = useSessionActions()
  useTitle(t('Choose a new password'))
  return (
    <main className={classes.single}>
      <Stack gap="lg" w="100%" maw={448}>
        <Logo />
        <div>
          <Title order={1}>{t('Choose a new password')}</Title>
          <Text c="dimmed" mt={4}>
            {t('The password you signed in with was given to you. Set one that only you know.')}
          </Text>
        </div>
        <ChangePasswordForm />
        <Button variant="subtle" color="gray" onClick={() => void session.signOut().catch(() => undefined)}>
          {t('Sign Out')}
        </Button>
      </Stack>
    </main>
  )
}
