import { Button, Select, Switch } from '@mantine/core'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { useState } from 'react'
import { roles, type User } from '#contract/entities/user.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { AccessDenied } from '../../shared/ui/notice.tsx'
import classes from './admin.module.css'
import { ConsolePage } from './console-page.tsx'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { ListTools } from './list-tools.tsx'
import { RoleSelect } from './role-select.tsx'
import { StateSelect, userStates } from './state-select.tsx'
import { useAllUsers, useRefreshUsers } from './use-admin.ts'
import { useListState } from './use-list-state.ts'
import { UserActions } from './user-actions.tsx'
import { UserDetails } from './user-details.tsx'
import { UserTable } from './user-table.tsx'

const roleFilters = ['all', 'super_admin', 'admin', 'user'] as const
const filterLabels = { all: 'All roles', super_admin: 'Super admins', admin: 'Admins', user: 'Users' } as const

/** The super admin panel (accounts specification, section 2). */
export function SuperAdminPage() {
  if (!isSuperAdmin(useUser())) {
    return <AccessDenied>You need super admin privileges to access this page.</AccessDenied>
  }
  return <SuperAdminPanel />
}

function SuperAdminPanel() {
  const list = useListState()
  const role = list.filter('role', roles) || 'all'
  const state = list.filter('state', userStates)
  const isWithoutSelf = list.filter('without_self', ['1']) === '1'
  const [isCreating, setIsCreating] = useState(false)
  const [detailed, setDetailed] = useState<User>()
  const refresh = useRefreshUsers()
  const users = useAllUsers({
    page: list.page,
    search: list.search,
    state,
    role,
    exclude_self: isWithoutSelf ? 'true' : 'false',
  })
  return (
    <ConsolePage
      title="Super Admin Panel"
      actions={
        <Button leftSection={<IconUserPlus size={18} stroke={1.5} />} onClick={() => setIsCreating(true)}>
          Create User
        </Button>
      }
    >
      <div className={classes.surface}>
        <ListTools label="Search users" search={list.typed} onSearch={list.setTyped} onRefresh={refresh}>
          <Select
            w={160}
            aria-label="Role"
            data={roleFilters.map((value) => ({ value, label: filterLabels[value] }))}
            value={role}
            onChange={(value) => list.setFilter('role', value === 'all' || value === null ? '' : value)}
          />
          <StateSelect value={state} onChange={(value) => list.setFilter('state', value)} />
          <Switch
            label="Without me"
            checked={isWithoutSelf}
            onChange={(event) => list.setFilter('without_self', event.currentTarget.checked ? '1' : '')}
          />
        </ListTools>
        <UserTable
          list={users}
          page={list.page}
          onPage={list.setPage}
          renderRole={(user) => <RoleSelect user={user} as="super_admin" />}
          renderActions={(user) => <UserActions user={user} panel="super_admin" onDetails={() => setDetailed(user)} />}
        />
      </div>
      <CreateUserDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
      <UserDetails user={detailed} onClose={() => setDetailed(undefined)} />
    </ConsolePage>
  )
}
