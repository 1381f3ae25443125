import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { isAdmin, useUser } from '../../shared/session/session.ts'
import { AccessDenied } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { AdminUserMenu } from './admin-user-menu.tsx'
import classes from './admin.module.css'
import { ListTools } from './list-tools.tsx'
import { RoleSelect } from './role-select.tsx'
import { useAdminStats, useUsers } from './use-admin.ts'
import { useListState } from './use-list-state.ts'
import { UserDetails } from './user-details.tsx'
import { UserTable } from './user-table.tsx'

/** The admin panel (accounts specification, section 2). */
export function AdminPage() {
  if (!isAdmin(useUser())) return <AccessDenied>You need admin privileges to access this page.</AccessDenied>
  return <AdminPanel />
}

function AdminPanel() {
  const list = useListState()
  const users = useUsers({ page: list.page, search: list.search })
  const [detailed, setDetailed] = useState<User>()
  return (
    <Page
      title="Admin Panel"
      width="wide"
      actions={
        <Group gap="xs">
          <Button variant="default" component={Link} to="/admin/audit">
            Audit trail
          </Button>
        </Group>
      }
    >
      <Figures />
      <div className={classes.surface}>
        <ListTools label="Search users" search={list.typed} onSearch={list.setTyped} onRefresh={users.refetch} />
        <UserTable
          list={users}
          page={list.page}
          onPage={list.setPage}
          renderRole={(user) =>
            user.role === 'super_admin' ? <Text>Super admin</Text> : <RoleSelect user={user} as="admin" />
          }
          renderActions={(user) => <AdminUserMenu user={user} onDetails={() => setDetailed(user)} />}
        />
      </div>
      <UserDetails user={detailed} onClose={() => setDetailed(undefined)} />
    </Page>
  )
}

function Figures() {
  const stats = useAdminStats()
  const figures = [
    { label: 'Total users', value: stats?.total_users },
    { label: 'Active', value: stats?.active_users },
    { label: 'Verified', value: stats?.verified_users },
    { label: 'With two-factor', value: stats?.users_with_2fa },
  ]
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
