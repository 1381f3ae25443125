import { Button, Group, Menu, Select } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { superAdmin } from '#contract/endpoints/admin.ts'
import { roles, type User } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { displayName } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { AccessDenied } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { DeleteUserDialog } from './admin-user-menu.tsx'
import classes from './admin.module.css'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { ListTools } from './list-tools.tsx'
import { ResetPasswordDialog } from './reset-password-dialog.tsx'
import { RoleSelect } from './role-select.tsx'
import { useAdminAct, useAllUsers } from './use-admin.ts'
import { useListState } from './use-list-state.ts'
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
  const [role, setRole] = useState<(typeof roleFilters)[number]>('all')
  const [isCreating, setIsCreating] = useState(false)
  const users = useAllUsers({ page: list.page, search: list.search, role })
  return (
    <Page
      title="Super Admin Panel"
      width="wide"
      actions={
        <Group gap="xs">
          <Button variant="default" component={Link} to="/super-admin/outbox">
            Outbox
          </Button>
          <Button leftSection={<IconUserPlus size={18} stroke={1.5} />} onClick={() => setIsCreating(true)}>
            Create User
          </Button>
        </Group>
      }
    >
      <div className={classes.surface}>
        <ListTools label="Search users" search={list.typed} onSearch={list.setTyped} onRefresh={users.refetch}>
          <Select
            w={160}
            aria-label="Role"
            data={roleFilters.map((value) => ({ value, label: filterLabels[value] }))}
            value={role}
            onChange={(value) => {
              setRole(roles.find((known) => known === value) ?? 'all')
              list.setPage(1)
            }}
          />
        </ListTools>
        <UserTable
          list={users}
          page={list.page}
          onPage={list.setPage}
          renderRole={(user) => <RoleSelect user={user} as="super_admin" />}
          renderActions={(user) => <SuperAdminMenu user={user} />}
        />
      </div>
      <CreateUserDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  )
}

function SuperAdminMenu({ user }: { user: User }) {
  const act = useAdminAct()
  const self = useUser()
  const [open, setOpen] = useState<'reset' | 'delete'>()
  const close = () => setOpen(undefined)

  function remove() {
    act.mutate({
      run: () => call(superAdmin.deleteUser, { params: { id: user.id } }),
      success: 'User deleted',
      failure: 'Failed to delete user',
      onDone: close,
    })
  }

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={`Actions for ${displayName(user)}`}>
            <IconDots size={18} stroke={1.5} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('reset')}>Reset Password</Menu.Item>
          {user.id !== self.id && (
            <Menu.Item color="var(--mantine-color-error)" onClick={() => setOpen('delete')}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ResetPasswordDialog user={user} isOpen={open === 'reset'} onClose={close} />
      <DeleteUserDialog
        user={user}
        isOpen={open === 'delete'}
        isBusy={act.isPending}
        onConfirm={remove}
        onClose={close}
      />
    </>
  )
}
