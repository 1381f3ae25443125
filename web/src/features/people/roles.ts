import type { Role } from '#contract/entities/user.ts'
import { isSuperAdmin } from '../../shared/session/session.ts'
import { roleNames } from '../admin/role-names.ts'

/** Returns the roles that a user may give to others, weakest first. */
export function assignableRoles(user: { role: Role }): Role[] {
  return isSuperAdmin(user) ? ['user', 'admin', 'super_admin'] : ['user', 'admin']
}

/** Returns the roles as options of a select. */
export function roleOptions(roles: Role[]): { value: Role; label: string }[] {
  return roles.map((role) => ({ value: role, label: roleNames[role] }))
}
