import { Button, Text } from '@mantine/core'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import type { LoginAttempt, Session, User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatExactMoment, formatMoment } from '../../shared/format.ts'
import { Panel } from '../../shared/ui/panel.tsx'
import { describeAgent } from '../../shared/user-agent.ts'
import { describeReason } from './audit-labels.ts'
import { EndSession } from './end-session.tsx'
import classes from './user-page.module.css'
import type { OfferedAction } from './use-user-actions.tsx'

interface UserSessionsProps {
  user: User
  sessions: Session[]
  revoke: OfferedAction | undefined
}

/** Where a user is signed in. */
export function UserSessions({ user, sessions, revoke }: UserSessionsProps) {
  return (
    <Panel
      title={t('Sessions')}
      icon={<IconDevices size={20} stroke={1.5} aria-hidden />}
      isFlush
      actions={
        revoke &&
        sessions.length > 0 && (
          <Button variant="default" size="xs" onClick={revoke.run}>
            {revoke.label}
          </Button>
        )
      }
    >
      {sessions.length === 0 ? (
        <Text p={20} my="1em" inherit c="dimmed">
          {t('Not signed in anywhere.')}
        </Text>
      ) : (
        <ul className={classes.rows} aria-label={t('Sessions')}>
          {sessions.map((session) => (
            <li key={session.id}>
              <div>
                <Text fw={560}>{describeAgent(session.user_agent)}</Text>
                <Text size="sm" c="dimmed">
                  {session.ip_address} · {t('last used {moment}', { moment: formatAgo(session.last_used) })} ·{' '}
                  {t('ends {moment}', { moment: formatMoment(session.expires_at) })}
                </Text>
              </div>
              <EndSession session={session} user={user} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** The latest sign-in attempts, and why any failed. */
export function UserAttempts({ attempts }: { attempts: LoginAttempt[] }) {
  return (
    <Panel title={t('Recent sign-in attempts')} icon={<IconLogin2 size={20} stroke={1.5} aria-hidden />} isFlush>
      {attempts.length === 0 ? (
        <Text p={20} my="1em" inherit c="dimmed">
          {t('None yet.')}
        </Text>
      ) : (
        <ul className={classes.rows} aria-label={t('Recent sign-in attempts')}>
          {attempts.map((attempt) => (
            <li key={attempt.id}>
              <div className={classes.event}>
                <span className={classes.tone} data-tone={attempt.success ? 'good' : 'bad'} aria-hidden />
                <div>
                  <Text fw={560}>
                    {attempt.success
                      ? t('Signed in')
                      : t('Failed: {reason}', { reason: describeReason(attempt.failure_reason) })}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {formatExactMoment(attempt.attempted_at)} · {attempt.ip_address}
                  </Text>
                </div>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
