import { Stack, Text } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { useUser } from '../../shared/session/session.ts'
import { Page } from '../../shared/ui/page.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { SessionList } from './session-list.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

/** Second factor, password and signed-in sessions (accounts specification, section 2). */
export function SecurityPage() {
  const { has_password: hasPassword } = useUser()
  return (
    <Page title={t('Security & 2FA')} width="narrow">
      <Stack gap={20}>
        <TwoFactorCard />
        <PasskeysCard />
        {hasPassword ? (
          <Panel title={t('Change Password')}>
            <ChangePasswordForm />
          </Panel>
        ) : (
          <Panel title={t('Password')}>
            <Text c="dimmed">
              {t(
                'You sign in through your organisation, so there is no password to change here. Change it where you manage your work account.',
              )}
            </Text>
          </Panel>
        )}
        <SessionList />
      </Stack>
    </Page>
  )
}
