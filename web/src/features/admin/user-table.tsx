import { Badge, Pagination, Table, Text, VisuallyHidden } from '@mantine/core'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import type { ReactNode } from 'react'
import type { User } from '#contract/entities/user.ts'
import { displayName, formatAgo, formatDate } from '../../shared/format.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import classes from './admin.module.css'

interface UserTableProps {
  list: {
    data: { users: User[]; pages: number; page: number; total: number } | undefined
    isPending: boolean
    error: string | undefined
    refetch: () => void
  }
  page: number
  onPage: (page: number) => void
  /** The role, shown or chosen. */
  renderRole: (user: User) => ReactNode
  /** Buttons at the end of a row. */
  renderActions: (user: User) => ReactNode
}

/** A page of users with its loading, empty and error states. */
export function UserTable({ list, page, onPage, renderRole, renderActions }: UserTableProps) {
  const { data, isPending, error, refetch } = list
  if (error) return <ErrorNotice message={error} onRetry={refetch} />
  if (isPending || !data) return <LoadingNotice label="Loading users" />
  if (data.users.length === 0) return <Notice title="No users found">Nobody matches this search.</Notice>
  return (
    <>
      <div className={classes.scroller}>
        <Table aria-label="Users" className={classes.cards}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>User</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Joined</Table.Th>
              <Table.Th>Last sign-in</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.users.map((user) => (
              <Table.Tr key={user.id}>
                <Table.Td>
                  <UserName user={user} />
                </Table.Td>
                <Table.Td data-label="Role">{renderRole(user)}</Table.Td>
                <Table.Td data-label="Status">
                  <UserBadges user={user} />
                </Table.Td>
                <Table.Td data-label="Joined">{formatDate(user.created_at)}</Table.Td>
                <Table.Td data-label="Last sign-in">{user.last_login ? formatAgo(user.last_login) : 'Never'}</Table.Td>
                <Table.Td className={classes.actions}>{renderActions(user)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <div className={classes.tableFoot}>
        <Text size="sm" c="dimmed">
          {data.total} {data.total === 1 ? 'user' : 'users'}
        </Text>
        {data.pages > 1 && <Pages total={data.pages} page={page} onPage={onPage} />}
      </div>
    </>
  )
}

/** Page buttons whose arrows have names. */
export function Pages({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  return (
    <Pagination
      total={total}
      value={page}
      onChange={onPage}
      size="sm"
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
    />
  )
}

function UserName({ user }: { user: User }) {
  return (
    <div className={classes.user}>
      <Text fw={560} truncate>
        <bdi>{displayName(user)}</bdi>
      </Text>
      <Text size="sm" c="dimmed" truncate>
        <bdi>{user.username}</bdi> · {user.email}
      </Text>
    </div>
  )
}

function UserBadges({ user }: { user: User }) {
  return (
    <div className={classes.badges}>
      <Badge color={user.is_active ? 'green' : 'red'}>{user.is_active ? 'Active' : 'Inactive'}</Badge>
      {!user.is_verified && <Badge color="amber">Unverified</Badge>}
      {user.two_factor_enabled && (
        <IconShieldCheck size={18} stroke={1.5} color="var(--awaz-accent)" aria-label="Two-factor enabled" />
      )}
    </div>
  )
}
