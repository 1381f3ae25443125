import { Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { User } from '#contract/entities/user.ts'
import { isAdmin, useUser } from '../../shared/session/session.ts'
import { AccessDenied } from '../../shared/ui/notice.tsx'
import classes from './admin.module.css'
import { ConsolePage } from './console-page.tsx'
import { ListTools } from './list-tools.tsx'
import { RoleSelect } from './role-select.tsx'
import { StateSelect, userStates } from './state-select.tsx'
import { useAdminStats, useRefreshUsers, useUsers } from './use-admin.ts'
import { useListState } from './use-list-state.ts'
import { UserActions } from './user-actions.tsx'
import { UserDetails } from './user-details.tsx'
import { UserTable } from './user-table.tsx'

/** The admin panel (accounts specification, section 2). */
export function AdminPage() {
  if (!isAdmin(useUser())) return <AccessDenied>You need admin privileges to access this page.</AccessDenied>
  return <AdminPanel />
}

function AdminPanel() {
  const list = useListState()
  const state = list.filter('state', userStates)
  const users = useUsers({ page: list.page, search: list.search, state })
  const refresh = useRefreshUsers()
  const [detailed, setDetailed] = useState<User>()
  const narrow = (to: string) => list.setFilter('state', to)
  return (
    <ConsolePage title="Admin Panel">
      <Figures state={state} onNarrow={narrow} />
      <div className={classes.surface}>
        <ListTools label="Search users" search={list.typed} onSearch={list.setTyped} onRefresh={refresh}>
          <StateSelect value={state} onChange={narrow} />
        </ListTools>
        <UserTable
          list={users}
          page={list.page}
          onPage={list.setPage}
          renderRole={(user) =>
            user.role === 'super_admin' ? <Text size="sm">Super admin</Text> : <RoleSelect user={user} as="admin" />
          }
          renderActions={(user) => <UserActions user={user} panel="admin" onDetails={() => setDetailed(user)} />}
        />
      </div>
      <UserDetails user={detailed} onClose={() => setDetailed(undefined)} />
    </ConsolePage>
  )
}

/** Numbers of users; each figure filters the list to those it counts. */
function Figures({ state, onNarrow }: { state: string; onNarrow: (state: string) => void }) {
  const stats = useAdminStats()
  const figures = [
    { label: 'Total users', value: stats?.total_users, narrowTo: '' },
    { label: 'Active', value: stats?.active_users, narrowTo: 'active' },
    { label: 'Verified', value: stats?.verified_users, narrowTo: 'verified' },
    { label: 'With two-factor', value: stats?.users_with_2fa, narrowTo: 'with_2fa' },
  ]
  return (
    <div className={classes.figures} role="group" aria-label="Figures">
      {figures.map(({ label, value, narrowTo }) => (
        <UnstyledButton
          key={label}
          className={classes.figure}
          aria-pressed={state === narrowTo}
          onClick={() => onNarrow(narrowTo)}
        >
          <span className={classes.figureLabel}>{label}</span>
          <span className={classes.figureValue}>{value ?? '–'}</span>
        </UnstyledButton>
      ))}
    </div>
  )
}
