import { Select } from '@mantine/core'
import { admin, superAdmin } from '#contract/endpoints/admin.ts'
import type { Role, User } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { displayName } from '../../shared/format.ts'
import { useUser } from '../../shared/session/session.ts'
import { useAdminAct } from './use-admin.ts'

const labels: Record<Role, string> = { user: 'User', admin: 'Admin', super_admin: 'Super admin' }

/** Changes a role at once. As an admin to user or admin; as a super admin to any. Nobody changes their own. */
export function RoleSelect({ user, as }: { user: User; as: 'admin' | 'super_admin' }) {
  const act = useAdminAct()
  const self = useUser()
  const offered: Role[] = as === 'admin' ? ['user', 'admin'] : ['user', 'admin', 'super_admin']

  function choose(value: string | null) {
    const role = offered.find((known) => known === value)
    if (!role || role === user.role) return
    const params = { id: user.id }
    const run =
      role === 'super_admin' || as === 'super_admin'
        ? () => call(superAdmin.setRole, { params, body: { role } })
        : () => call(admin.setRole, { params, body: { role } })
    act.mutate({ run, success: 'User role updated', failure: 'Failed to update user role' })
  }

  return (
    <Select
      w={140}
      size="xs"
      aria-label={`Role of ${displayName(user)}`}
      data={offered.map((role) => ({ value: role, label: labels[role] }))}
      value={user.role}
      disabled={act.isPending || user.id === self.id}
      onChange={choose}
    />
  )
}
