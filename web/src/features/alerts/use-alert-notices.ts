import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { toastAction } from '../../shared/action-toast.tsx'
import { readNotificationPermission } from '../../shared/browser-notifications.ts'
import { claimOnce } from '../../shared/claim-once.ts'
import { useSettings } from '../../shared/settings.ts'
import { useUnreadAlerts } from './use-unread-alerts.ts'

const path = '/alerts'
/** Hidden tabs wait, so that a visible one notifies first. */
const hiddenDelayMs = 1000

/** Notifies the user of new alerts once per browser: with a toast, or with a browser notification if the page is hidden. */
export function useAlertNotices(): void {
  const unread = useUnreadAlerts()
  const known = useRef<number>(undefined)
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { settings } = useSettings()

  const tell = useEffectEvent(async (added: number, total: number) => {
    if (document.hidden) await new Promise((resolve) => setTimeout(resolve, hiddenDelayMs))
    if (!(await claimOnce(`alert-notice:${total}`))) return
    const message = t('{added, plural, one {# new alert} other {# new alerts}}.', { added })
    const open = () => void navigate(path)
    if (!document.hidden && pathname !== path) toastAction(message, { label: t('Open'), act: open })
    else if (document.hidden && settings.notifications.push) showNotification(message, open)
  })

  useEffect(() => {
    if (unread === undefined) return
    const before = known.current
    known.current = unread
    if (before !== undefined && unread > before) void tell(unread - before, unread)
  }, [unread])
}

/** Shows a notification without the words that were spoken, since a locked screen may display it. */
function showNotification(body: string, open: () => void): void {
  if (readNotificationPermission() !== 'granted') return
  const notification = new Notification('Awaz', { body, tag: 'alerts' })
  notification.addEventListener('click', () => {
    window.focus()
    open()
    notification.close()
  })
}
