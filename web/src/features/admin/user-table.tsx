import { Anchor, Badge, Checkbox, Group, Pagination, Text } from '@mantine/core'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { displayName, formatAgo, formatDate } from '../../shared/format.ts'
import { type TableColumn, DataTable } from '../../shared/ui/data-table.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './admin.module.css'
import type { UserOrder } from './user-list-state.ts'
import { ariaSort, SortButton } from './user-order.tsx'
import { userPath } from './user-path.ts'
import type { UserSelection } from './use-user-selection.ts'
import common from '../../shared/ui/common.module.css'

interface UserTableProps {
  users: User[]
  order: UserOrder
  onOrder: (order: UserOrder) => void
  selection: UserSelection
  /** Whether a user may be acted on together with others. */
  isSelectable: (user: User) => boolean
  /** Shows the role, or a control to change it. */
  renderRole: (user: User) => ReactNode
  /** Buttons at the end of a row. */
  renderActions: (user: User) => ReactNode
}

/** A page of users, sorted by its columns. */
export function UserTable({ users, selection, isSelectable, renderRole, renderActions, ...sorting }: UserTableProps) {
  const { order } = sorting
  const columns: TableColumn<User>[] = [
    {
      title: t('Select everybody on this page'),
      head: <SelectAll users={users.filter(isSelectable)} selection={selection} />,
      kind: 'check',
      render: (user) => (
        <Checkbox
          aria-label={t('Select {user}', { user: displayName(user) })}
          checked={selection.has(user.id)}
          disabled={!isSelectable(user)}
          onChange={(event) => selection.set([user], event.currentTarget.checked)}
        />
      ),
    },
    {
      title: t('Name'),
      head: (
        <>
          <SortButton sort="name" label={t('Name')} {...sorting} />
          <SortButton sort="email" label={t('E-mail')} {...sorting} />
        </>
      ),
      sort: ariaSort(order, 'name', 'email'),
      kind: 'subject',
      render: (user) => <UserName user={user} />,
    },
    {
      title: t('Role'),
      head: <SortButton sort="role" label={t('Role')} {...sorting} />,
      sort: ariaSort(order, 'role'),
      render: renderRole,
    },
    { title: t('Status'), render: (user) => <UserBadges user={user} /> },
    {
      title: t('Joined'),
      head: <SortButton sort="created_at" label={t('Joined')} {...sorting} />,
      sort: ariaSort(order, 'created_at'),
      kind: 'date',
      render: (user) => formatDate(user.created_at),
    },
    {
      title: t('Last sign-in'),
      head: <SortButton sort="last_login" label={t('Last sign-in')} {...sorting} />,
      sort: ariaSort(order, 'last_login'),
      kind: 'date',
      render: (user) => (user.last_login ? formatAgo(user.last_login) : t('Never')),
    },
    { title: t('Actions'), kind: 'actions', render: renderActions },
  ]
  return (
    <DataTable
      label={t('Users')}
      columns={columns}
      rows={users}
      keyOf={({ id }) => id}
      isSelected={({ id }) => selection.has(id)}
    />
  )
}

function SelectAll({ users, selection }: Pick<UserTableProps, 'users' | 'selection'>) {
  const selected = users.filter(({ id }) => selection.has(id)).length
  return (
    <Checkbox
      aria-label={t('Select everybody on this page')}
      checked={users.length > 0 && selected === users.length}
      indeterminate={selected > 0 && selected < users.length}
      disabled={users.length === 0}
      onChange={(event) => selection.set(users, event.currentTarget.checked)}
    />
  )
}

interface ListFootProps {
  /** The total, in words: `3 users`. */
  count: string
  pages: number
  page: number
  onPage: (page: number) => void
}

/** The total, and page buttons if there is more than one page. */
export function ListFoot({ count, pages, page, onPage }: ListFootProps) {
  return (
    <Group gap="sm" justify="space-between" py="sm" px={20} className={common.lineAbove}>
      <Text size="sm" c="dimmed">
        {count}
      </Text>
      {pages > 1 && <Pages total={pages} page={page} onPage={onPage} />}
    </Group>
  )
}

const controlNames = {
  first: t('first page'),
  previous: t('previous page'),
  next: t('next page'),
  last: t('last page'),
}

/** Page buttons with labeled arrows. */
export function Pages({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  return (
    <Pagination
      total={total}
      value={page}
      onChange={onPage}
      size="sm"
      gap={4}
      getControlProps={(control) => ({ 'aria-label': controlNames[control] })}
      getItemProps={(number) => ({ 'aria-label': t('Page {number}', { number }) })}
    />
  )
}

/** A user's name, linked to their page, with username and address. */
export function UserName({ user }: { user: Pick<User, 'id' | 'first_name' | 'last_name' | 'username' | 'email'> }) {
  return (
    <div className={classes.user}>
      <Anchor component={Link} to={userPath(user.id)} c="inherit" fw={560} display="block" truncate>
        <Isolated isCut>{displayName(user)}</Isolated>
      </Anchor>
      <Text size="sm" c="dimmed" truncate>
        <Isolated>{user.username}</Isolated> · {user.email}
      </Text>
    </div>
  )
}

/** Whether an account is active, verified and secured by a second factor. */
export function UserBadges({ user }: { user: User }) {
  return (
    <Group gap={6}>
      <Badge color={user.is_active ? 'green' : 'red'}>{user.is_active ? t('Active') : t('Inactive')}</Badge>
      {!user.is_verified && <Badge color="amber">{t('Unverified')}</Badge>}
      {user.two_factor_enabled && (
        <IconShieldCheck size={18} stroke={1.5} color="var(--awaz-accent)" aria-label={t('Two-factor enabled')} />
      )}
    </Group>
  )
}
