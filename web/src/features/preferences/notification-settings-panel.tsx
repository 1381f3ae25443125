import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import {
  readNotificationPermission,
  requestNotificationPermission,
  type NotificationPermissionState,
} from '../../shared/browser-notifications.ts'
import { useServerConfig } from '../../shared/config.ts'
import { useSettings } from '../../shared/settings.ts'
import { Panel } from '../../shared/ui/panel.tsx'
import { SettingSwitch } from './setting-row.tsx'
import classes from './preferences.module.css'
import type { useMailSettings } from './use-mail-settings.ts'

const problems: Record<Exclude<NotificationPermissionState, 'granted'>, string> = {
  default: t('This browser has not been asked yet.'),
  denied: t('This browser blocks notifications of Awaz. Allow them in its settings for this site.'),
  unavailable: t('This browser shows notifications only over https.'),
}

/** What the user is notified of, how and where. */
export function NotificationSettingsPanel({ mails: { mails, change } }: { mails: ReturnType<typeof useMailSettings> }) {
  const { settings, change: changeSettings } = useSettings()
  const { notifications } = settings
  const hasMailServer = useServerConfig()?.is_smtp_configured !== false
  const [permission, setPermission] = useState(readNotificationPermission)

  function set(part: Partial<typeof notifications>) {
    changeSettings({ notifications: { ...notifications, ...part } })
  }

  async function ask() {
    setPermission(await requestNotificationPermission())
  }

  function setPush(push: boolean) {
    set({ push })
    if (push) void ask()
  }

  return (
    <Panel title={t('Notifications')}>
      <SettingSwitch
        label={t('When a transcription has ended')}
        help={t('Said on the page that you are on.')}
        isOn={notifications.transcriptionComplete}
        onChange={(transcriptionComplete) => set({ transcriptionComplete })}
      />
      <SettingSwitch
        label={t('When a translation has ended')}
        help={t('Said on the page that you are on.')}
        isOn={notifications.translationComplete}
        onChange={(translationComplete) => set({ translationComplete })}
      />
      <SettingSwitch
        label={t('Notifications of the browser')}
        help={t('The same, while you look at something else.')}
        isOn={notifications.push}
        onChange={setPush}
        notice={
          notifications.push &&
          permission !== 'granted' && (
            <Text size="sm" component="div" aria-live="polite" className={classes.notice}>
              {problems[permission]}
              {permission === 'default' && (
                <Button size="compact-sm" variant="default" onClick={() => void ask()}>
                  {t('Allow')}
                </Button>
              )}
            </Text>
          )
        }
      />
      <SettingSwitch
        label={t('Mail when a long job has ended')}
        help={t('For work of five minutes and more. The mail has a link, and nothing of the recording.')}
        isOn={mails.email}
        onChange={(email) => change({ ...mails, email })}
        notice={
          !hasMailServer && (
            <Text size="sm" className={classes.notice}>
              {t('This server sends no mails yet.')}
            </Text>
          )
        }
      />
      <SettingSwitch
        label={t('Security alerts by mail')}
        help={t('When your password or your second factor was changed.')}
        isOn={mails.securityAlerts}
        onChange={(securityAlerts) => change({ ...mails, securityAlerts })}
      />
    </Panel>
  )
}
