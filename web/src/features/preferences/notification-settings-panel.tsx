import { Button, Text } from '@mantine/core'
import { useState } from 'react'
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
  default: 'This browser has not been asked yet.',
  denied: 'This browser blocks notifications of Awaz. Allow them in its settings for this site.',
  unavailable: 'This browser shows notifications only over https.',
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
    <Panel title="Notifications">
      <SettingSwitch
        label="When a transcription has ended"
        help="Said on the page that you are on."
        isOn={notifications.transcriptionComplete}
        onChange={(transcriptionComplete) => set({ transcriptionComplete })}
      />
      <SettingSwitch
        label="When a translation has ended"
        help="Said on the page that you are on."
        isOn={notifications.translationComplete}
        onChange={(translationComplete) => set({ translationComplete })}
      />
      <SettingSwitch
        label="Notifications of the browser"
        help="The same, while you look at something else."
        isOn={notifications.push}
        onChange={setPush}
        notice={
          notifications.push &&
          permission !== 'granted' && (
            <Text size="sm" component="div" aria-live="polite" className={classes.notice}>
              {problems[permission]}
              {permission === 'default' && (
                <Button size="compact-sm" variant="default" onClick={() => void ask()}>
                  Allow
                </Button>
              )}
            </Text>
          )
        }
      />
      <SettingSwitch
        label="Mail when a long job has ended"
        help="For work of five minutes and more. The mail has a link, and nothing of the recording."
        isOn={mails.email}
        onChange={(email) => change({ ...mails, email })}
        notice={
          !hasMailServer && (
            <Text size="sm" className={classes.notice}>
              This server sends no mails yet.
            </Text>
          )
        }
      />
      <SettingSwitch
        label="Security alerts by mail"
        help="When your password or your second factor was changed."
        isOn={mails.securityAlerts}
        onChange={(securityAlerts) => change({ ...mails, securityAlerts })}
      />
    </Panel>
  )
}
