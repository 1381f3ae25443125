import { Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconUserQuestion from '@tabler/icons-react/dist/esm/icons/IconUserQuestion.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import type { Response } from '#contract/endpoint.ts'
import { admin } from '#contract/endpoints/admin.ts'
import { t } from '#contract/texts/t.ts'
import type { User } from '#contract/entities/user.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { displayName } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { usersPath } from './console-nav.tsx'
import { ConsolePage } from './console-page.tsx'
import { roleNames } from './role-names.ts'
import { adminKey, describeLoadError } from './use-admin.ts'
import { UserActivity } from './user-activity.tsx'
import { UserIdentity } from './user-identity.tsx'
import { UserNotices } from './user-notices.tsx'
import classes from './user-page.module.css'
import { UserSecurity } from './user-security.tsx'
import { UserAttempts, UserSessions } from './user-sessions.tsx'
import { type OfferedAction, useUserActions } from './use-user-actions.tsx'
import common from '../../shared/ui/common.module.css'

interface DangerZoneProps {
  user: User
  status: OfferedAction | undefined
  remove: OfferedAction | undefined
  isBusy: boolean
}

/** The actions that end an account, for a time or for good; renders nothing if none is permitted. */
function DangerZone({ user, status, remove, isBusy }: DangerZoneProps) {
  if (!status && !remove) return null
  return (
    <section className={classes.danger} aria-labelledby="danger-zone">
      <header>
        <Title order={2} id="danger-zone">
          {t('Danger zone')}
        </Title>
      </header>
      <ul className={classes.rows}>
        {status && (
          <li>
            <div>
              <Text fw={560}>{user.is_active ? t('Deactivate this account') : t('Activate this account')}</Text>
              <Text size="sm" c="dimmed">
                {user.is_active
                  ? t('They are signed out everywhere and cannot sign in. What they recorded is kept.')
                  : t('They may sign in again; what they recorded is still there.')}
              </Text>
            </div>
            <Button variant="default" loading={isBusy} onClick={status.run}>
              {status.label}
            </Button>
          </li>
        )}
        {remove && (
          <li>
            <div>
              <Text fw={560}>{t('Delete this account')}</Text>
              <Text size="sm" c="dimmed">
                {t('With all recordings, transcripts, translations and keywords, for good.')}
              </Text>
            </div>
            <Button color="red" onClick={remove.run}>
              {remove.label}
            </Button>
          </li>
        )}
      </ul>
    </section>
  )
}

type UserDetails = Response<typeof admin.getUser>

/** Everything about one user, and everything that may be done to them (View Details; accounts specification, section 2). */
export function UserPage() {
  const [params] = useSearchParams()
  const id = params.get('id') ?? ''
  const { data, error, refetch } = useQuery({
    queryKey: [adminKey, 'user', id],
    queryFn: () => call(admin.getUser, { params: { id } }),
    enabled: id !== '',
  })
  const users = usersPath(isSuperAdmin(useUser()))
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400)
  const message = describeLoadError(error)

  if (data && !isGone) return <FoundUser key={id} details={data} />
  return (
    <ConsolePage title={t('User')}>
      {id === '' || isGone ? (
        <Notice
          title={isGone ? t('This user does not exist') : t('No user is chosen')}
          icon={<IconUserQuestion size={22} stroke={1.5} />}
          action={
            <Button component={Link} to={users} variant="default">
              {t('All users')}
            </Button>
          }
        >
          {isGone ? t('The account may have been deleted.') : t('Please choose somebody in the list of users.')}
        </Notice>
      ) : (
        <>
          {message ? (
            <ErrorNotice message={message} onRetry={() => void refetch()} />
          ) : (
            <LoadingNotice label={t('Loading the user')} />
          )}
        </>
      )}
    </ConsolePage>
  )
}

function FoundUser({ details }: { details: UserDetails }) {
  const { user } = details
  const panel = isSuperAdmin(useUser()) ? 'super_admin' : 'admin'
  const navigate = useNavigate()
  const { actions, dialogs, isBusy } = useUserActions(user, {
    panel,
    onDeleted: () => void navigate(usersPath(panel === 'super_admin'), { replace: true }),
  })
  const find = (name: (typeof actions)[number]['name']) => actions.find((action) => action.name === name)
  return (
    <ConsolePage
      title={displayName(user)}
      lead={
        <Group component="span" gap="0.375rem 0.5rem" className={common.wrap}>
          {user.email}
          <Badge color="gray">{roleNames[user.role]}</Badge>
          <Badge color={user.is_active ? 'green' : 'red'}>{user.is_active ? t('Active') : t('Inactive')}</Badge>
          {!user.is_verified && <Badge color="amber">{t('Unverified')}</Badge>}
        </Group>
      }
      actions={
        <Anchor component={Link} to={usersPath(panel === 'super_admin')} className={classes.back}>
          <IconArrowLeft size={16} stroke={1.5} aria-hidden /> {t('All users')}
        </Anchor>
      }
    >
      <UserNotices user={user} />
      <div className={classes.columns}>
        <Stack>
          <UserIdentity user={user} panel={panel} edit={find('edit')} />
          <UserSecurity details={details} resetPassword={find('reset-password')} resetTwoFactor={find('reset-2fa')} />
          <UserAttempts attempts={details.recent_login_attempts} />
        </Stack>
        <Stack>
          <UserSessions user={user} sessions={details.sessions} revoke={find('revoke')} />
          <UserActivity user={user} />
        </Stack>
      </div>
      <DangerZone user={user} status={find('status')} remove={find('delete')} isBusy={isBusy} />
      {dialogs}
    </ConsolePage>
  )
}
