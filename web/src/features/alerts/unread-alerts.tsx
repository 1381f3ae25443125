import { VisuallyHidden } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../shared/format.ts'
import { useUnreadAlerts } from './use-unread-alerts.ts'
import classes from './unread-alerts.module.css'

const maxShown = 99

/** The number of unread alerts, for the navigation; renders nothing if there are none. */
export function UnreadAlerts() {
  const unread = useUnreadAlerts() ?? 0
  if (unread === 0) return null
  return (
    <span className={classes.badge}>
      <span aria-hidden>{unread > maxShown ? `${formatNumber(maxShown)}+` : formatNumber(unread)}</span>
      <VisuallyHidden>{`, ${t('{unread, number} unread', { unread })}`}</VisuallyHidden>
    </span>
  )
}
