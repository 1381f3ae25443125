import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { profile } from '#contract/endpoints/profile.ts'
import { defaultNotificationSettings, type NotificationSettings } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useSettings, type Settings } from '../../shared/settings.ts'
import { toastError } from '../../shared/toast.tsx'

type MailSettings = Pick<Settings['notifications'], 'email' | 'securityAlerts'>

const queryKey = ['notification-settings']

/** Returns which mails the user gets. The server sends them, so its copy is authoritative; the local settings follow it. */
export function useMailSettings() {
  const client = useQueryClient()
  const { settings, change: changeSettings } = useSettings()
  const { data = defaultNotificationSettings, isPending } = useQuery({
    queryKey,
    queryFn: () => call(profile.getNotifications),
  })
  const { mutate } = useMutation({
    scope: { id: 'notification-settings' },
    networkMode: 'always',
    mutationFn: (body: NotificationSettings) => call(profile.changeNotifications, { body, keepalive: true }),
    onSuccess: (stored) => {
      client.setQueryData(queryKey, stored)
      const { email, security_alerts: securityAlerts } = stored
      changeSettings({ notifications: { ...settings.notifications, email, securityAlerts } })
    },
    onError: (error) => {
      toastError(messageOf(error, t('The choice of mails could not be saved.')))
      void client.invalidateQueries({ queryKey })
    },
  })

  function change({ email, securityAlerts }: MailSettings) {
    const body = { email, security_alerts: securityAlerts }
    client.setQueryData(queryKey, body)
    mutate(body)
  }

  const mails: MailSettings = { email: data.email, securityAlerts: data.security_alerts }
  return { mails, isPending, change }
}
