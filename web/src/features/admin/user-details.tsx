import { Alert, Button, Drawer, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { admin } from '#contract/endpoints/admin.ts'
import type { Response } from '#contract/endpoint.ts'
import type { User } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { displayName, formatAgo, formatMoment, formatSpan } from '../../shared/format.ts'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import classes from './admin.module.css'
import { useAdminAct } from './use-admin.ts'

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
      <Text c="dimmed" mb="md">
        {user.email} · joined {formatMoment(user.created_at)}
      </Text>
      {lockedSeconds > 0 && <LockNotice id={user.id} lockedSeconds={lockedSeconds} />}
      <Title order={3}>Sessions</Title>
      <ul className={classes.timeline}>
        {sessions.length === 0 && <li>Not signed in anywhere.</li>}
        {sessions.map((session) => (
          <li key={session.id} data-tone="good">
            <Text fw={560}>{session.ip_address}</Text>
            <Text size="sm" c="dimmed">
              last used {formatAgo(session.last_used)}, ends {formatMoment(session.expires_at)}
            </Text>
          </li>
        ))}
      </ul>
      <Title order={3}>Recent sign-in attempts</Title>
      <ul className={classes.timeline}>
        {attempts.length === 0 && <li>None.</li>}
        {attempts.map((attempt) => (
          <li key={attempt.id} data-tone={attempt.success ? 'good' : 'bad'}>
            <Text fw={560}>
              {attempt.success ? 'Signed in' : `Failed: ${attempt.failure_reason ?? 'unknown reason'}`}
            </Text>
            <Text size="sm" c="dimmed">
              {formatMoment(attempt.attempted_at)} · {attempt.ip_address}
            </Text>
          </li>
        ))}
      </ul>
    </>
  )
}

function LockNotice({ id, lockedSeconds }: { id: string; lockedSeconds: number }) {
  const act = useAdminAct()
  return (
    <Alert color="amber" mb="md" title={`Locked for another ${formatSpan(lockedSeconds)}`}>
      <Button
        size="compact-sm"
        variant="default"
        loading={act.isPending}
        onClick={() =>
          act.mutate({
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
