import { Alert, Button, Drawer, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { admin } from '#contract/endpoints/admin.ts'
import type { Response } from '#contract/endpoint.ts'
import type { Role, User } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { displayName, formatAgo, formatMoment, formatSpan } from '../../shared/format.ts'
import { describeAgent } from '../../shared/user-agent.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import classes from './admin.module.css'
import { describeReason } from './audit-labels.ts'
import { useAdminAction } from './use-admin.ts'

interface UserDetailsProps {
  /** Undefined keeps the drawer closed. */
  user: User | undefined
  onClose: () => void
}

/** A user's sessions and recent attempts to sign in, as timelines in a drawer. */
export function UserDetails({ user, onClose }: UserDetailsProps) {
  return (
    <Drawer opened={Boolean(user)} onClose={onClose} title={user ? displayName(user) : ''} size="md">
      {user && <Details id={user.id} />}
    </Drawer>
  )
}

function Details({ id }: { id: string }) {
  const { data, isPending, refetch } = useQuery({
    queryKey: ['admin-user', id],
    queryFn: () => call(admin.getUser, { params: { id } }),
  })
  if (data) return <DetailLists details={data} />
  if (isPending) return <LoadingNotice label="Loading details" />
  return <ErrorNotice message="The details could not be loaded." onRetry={() => void refetch()} />
}

function DetailLists({ details }: { details: Response<typeof admin.getUser> }) {
  const { user, sessions, recent_login_attempts: attempts, locked_seconds: lockedSeconds } = details
  return (
    <>
      <dl className={classes.facts}>
        {factsOf(user).map(([label, value]) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      {lockedSeconds > 0 && <LockNotice id={user.id} lockedSeconds={lockedSeconds} />}
      <Title order={3}>Sessions</Title>
      <ul className={classes.timeline}>
        {sessions.length === 0 && <li>Not signed in anywhere.</li>}
        {sessions.map((session) => (
          <li key={session.id} data-tone="good">
            <Text fw={560}>{describeAgent(session.user_agent)}</Text>
            <Text size="sm" c="dimmed">
              {session.ip_address} · last used {formatAgo(session.last_used)}, ends {formatMoment(session.expires_at)}
            </Text>
          </li>
        ))}
      </ul>
      <Title order={3}>Recent sign-in attempts</Title>
      <ul className={classes.timeline}>
        {attempts.length === 0 && <li>None.</li>}
        {attempts.map((attempt) => (
          <li key={attempt.id} data-tone={attempt.success ? 'good' : 'bad'}>
            <Text fw={560}>{attempt.success ? 'Signed in' : `Failed: ${describeReason(attempt.failure_reason)}`}</Text>
            <Text size="sm" c="dimmed">
              {formatMoment(attempt.attempted_at)} · {attempt.ip_address}
            </Text>
          </li>
        ))}
      </ul>
    </>
  )
}

const roleNames: Record<Role, string> = { user: 'User', admin: 'Admin', super_admin: 'Super admin' }

function factsOf(user: User): [string, string][] {
  return [
    ['Email', user.email],
    ['Username', user.username],
    ['Role', roleNames[user.role]],
    ['Status', user.is_active ? 'Active' : 'Inactive'],
    ['Email verification', user.is_verified ? 'Verified' : 'Not verified'],
    ['Two-factor', user.two_factor_enabled ? 'Enabled' : 'Disabled'],
    ['Password', user.must_change_password ? 'Must be changed at the next sign-in' : 'Chosen by the user'],
    ['Joined', formatMoment(user.created_at)],
    ['Last sign-in', user.last_login ? formatMoment(user.last_login) : 'Never'],
  ]
}

function LockNotice({ id, lockedSeconds }: { id: string; lockedSeconds: number }) {
  const action = useAdminAction()
  return (
    <Alert color="amber" mb="md" title={`Locked for another ${formatSpan(lockedSeconds)}`}>
      <Button
        size="compact-sm"
        variant="default"
        loading={action.isPending}
        onClick={() =>
          action.mutate({
            run: () => call(admin.unlockUser, { params: { id } }),
            success: 'Account unlocked',
            failure: 'Failed to unlock the account',
          })
        }
      >
        Unlock now
      </Button>
    </Alert>
  )
}
