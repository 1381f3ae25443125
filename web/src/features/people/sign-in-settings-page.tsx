import { Stack } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { ConsolePage } from '../admin/console-page.tsx'
import { ProvidersPanel } from './providers/providers-panel.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useSignInSettings } from './use-sign-in-settings.ts'

/** Who may register, who needs a second factor, how long sessions last, and providers of single sign-on. */
export function SignInSettingsPage() {
  return (
    <ConsolePage
      title={t('Sign-in')}
      access="super_admin"
      lead={t('Who gets an account, how long people stay signed in, and which other systems may vouch for them.')}
    >
      <Stack gap={20} maw={896}>
        <Settings />
        <ProvidersPanel />
      </Stack>
    </ConsolePage>
  )
}

function Settings() {
  const { data, error, refetch } = useSignInSettings()
  if (data) return <SettingsForm stored={data} />
  if (error) {
    return (
      <ErrorNotice message={messageOf(error, t('Network error. Please try again.'))} onRetry={() => void refetch()} />
    )
  }
  return <LoadingNotice label={t('Loading the settings')} />
}
