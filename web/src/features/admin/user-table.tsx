import { Anchor, Badge, Checkbox, Pagination, Table, Text, VisuallyHidden } from '@mantine/core'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { displayName, formatAgo, formatDate } from '../../shared/format.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import classes from './admin.module.css'
import type { UserOrder } from './user-list-state.ts'
import { ariaSort, SortButton } from './user-order.tsx'
import { userPath } from './user-path.ts'
import type { UserSelection } from './use-user-selection.ts'

interface UserTableProps {
  users: User[]
  order: UserOrder
  onOrder: (order: UserOrder) => void
  selection: UserSelection
  /** Whether a user may be acted on together with others. */
  isSelectable: (user: User) => boolean
  /** The role, shown or chosen. */
  renderRole: (user: User) => ReactNode
  /** Buttons at the end of a row. */
  renderActions: (user: User) => ReactNode
}

/** A page of users: a table sorted by its columns, or cards where rows do not fit. */
export function UserTable({ users, selection, isSelectable, renderRole, renderActions, ...sorting }: UserTableProps) {
  return (
    <div className={classes.scroller}>
      <Table aria-label={t('Users')} className={classes.cards}>
        <UserTableHead users={users.filter(isSelectable)} selection={selection} {...sorting} />
        <Table.Tbody>
          {users.map((user) => (
            <Table.Tr key={user.id} data-selected={selection.has(user.id) || undefined}>
              <Table.Td className={classes.check}>
                <Checkbox
                  aria-label={t('Select {user}', { user: displayName(user) })}
                  checked={selection.has(user.id)}
                  disabled={!isSelectable(user)}
                  onChange={(event) => selection.set([user], event.currentTarget.checked)}
                />
              </Table.Td>
              <Table.Td className={classes.name}>
                <UserName user={user} />
              </Table.Td>
              <Table.Td data-label={t('Role')}>{renderRole(user)}</Table.Td>
              <Table.Td data-label={t('Status')}>
                <UserBadges user={user} />
              </Table.Td>
              <Table.Td data-label={t('Joined')} className={classes.date}>
                {formatDate(user.created_at)}
              </Table.Td>
              <Table.Td data-label={t('Last sign-in')} className={classes.date}>
                {user.last_login ? formatAgo(user.last_login) : t('Never')}
              </Table.Td>
              <Table.Td className={classes.actions}>{renderActions(user)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function UserTableHead({
  users,
  selection,
  ...sorting
}: Pick<UserTableProps, 'users' | 'selection' | 'order' | 'onOrder'>) {
  const selected = users.filter(({ id }) => selection.has(id)).length
  const { order } = sorting
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th className={classes.check}>
          <Checkbox
            aria-label={t('Select everybody on this page')}
            checked={users.length > 0 && selected === users.length}
            indeterminate={selected > 0 && selected < users.length}
            disabled={users.length === 0}
            onChange={(event) => selection.set(users, event.currentTarget.checked)}
          />
        </Table.Th>
        <Table.Th aria-sort={ariaSort(order, 'name', 'email')}>
          <SortButton sort="name" label={t('Name')} {...sorting} />
          <SortButton sort="email" label={t('E-mail')} {...sorting} />
        </Table.Th>
        <Table.Th aria-sort={ariaSort(order, 'role')}>
          <SortButton sort="role" label={t('Role')} {...sorting} />
        </Table.Th>
        <Table.Th>{t('Status')}</Table.Th>
        <Table.Th aria-sort={ariaSort(order, 'created_at')}>
          <SortButton sort="created_at" label={t('Joined')} {...sorting} />
        </Table.Th>
        <Table.Th aria-sort={ariaSort(order, 'last_login')}>
          <SortButton sort="last_login" label={t('Last sign-in')} {...sorting} />
        </Table.Th>
        <Table.Th>
          <VisuallyHidden>{t('Actions')}</VisuallyHidden>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

interface ListFootProps {
  /** How many there are, in words: `3 users`. */
  count: string
  pages: number
  page: number
  onPage: (page: number) => void
}

/** How many there are, and page buttons where there is more than one page. */
export function ListFoot({ count, pages, page, onPage }: ListFootProps) {
  return (
    <div className={classes.tableFoot}>
      <Text size="sm" c="dimmed">
        {count}
      </Text>
      {pages > 1 && <Pages total={pages} page={page} onPage={onPage} />}
    </div>
  )
}

const controlNames = {
  first: t('first page'),
  previous: t('previous page'),
  next: t('next page'),
  last: t('last page'),
}

/** Page buttons whose arrows have names. */
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

/** A user's name, which leads to their page, with username and address. */
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
    <div className={classes.badges}>
      <Badge color={user.is_active ? 'green' : 'red'}>{user.is_active ? t('Active') : t('Inactive')}</Badge>
      {!user.is_verified && <Badge color="amber">{t('Unverified')}</Badge>}
      {user.two_factor_enabled && (
        <IconShieldCheck size={18} stroke={1.5} color="var(--awaz-accent)" aria-label={t('Two-factor enabled')} />
      )}
    </div>
  )
}
