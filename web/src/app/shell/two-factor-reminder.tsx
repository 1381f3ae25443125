import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { formatDeadline } from '../../shared/format.ts'
import { isTwoFactorMissing } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { pageList } from '../page-list.ts'
import classes from './two-factor-reminder.module.css'

const storageKey = 'two_factor_reminder_dismissed'
const dayMs = 24 * 3_600_000

/**
 * Says by when a required second factor must be set up, on every page until it is. Dismissing it lasts until the next sign-in; on the last
 * day the reminder cannot be dismissed.
 */
export function TwoFactorReminder({ user }: { user: User }) {
  if (!isTwoFactorMissing(user) || !user.two_factor_grace || user.two_factor_due === null) return null
  return <Reminder due={user.two_factor_due} signInMark={`${user.id} ${user.last_login}`} />
}

function Reminder({ due, signInMark }: { due: string; signInMark: string }) {
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(storageKey))
  const now = useNow()
  const isLastDay = new Date(due).getTime() - now <= dayMs
  if (dismissed === signInMark && !isLastDay) return null

  function dismiss() {
    localStorage.setItem(storageKey, signInMark)
    setDismissed(signInMark)
  }

  return (
    <section
      className={classes.reminder}
      aria-label={t('Two-factor authentication is due')}
      data-urgent={isLastDay || undefined}
    >
      <p>
        {rich(
          'Set up two-factor authentication by {deadline}. After that, this server does not let you go on without it.',
          { deadline: <time dateTime={due}>{formatDeadline(due)}</time> },
        )}
      </p>
      <Group gap={6} align="stretch">
        <Button component={Link} to={pageList.security.path} size="compact-sm">
          {t('Set it up now')}
        </Button>
        {!isLastDay && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={dismiss}>
            {t('Later')}
          </Button>
        )}
      </Group>
    </section>
  )
}

/** Returns the current time, updated every minute: the last day may begin while the page is open. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
