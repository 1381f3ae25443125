import type { User } from '#contract/entities/user.ts'
import { isSuperAdmin } from '../../shared/session/session.ts'

export type Panel = 'admin' | 'super_admin'
export type UserAction = 'edit' | 'reset-password' | 'reset-2fa' | 'status' | 'revoke' | 'delete'

/** Whether an administrator may change a user at all: only super admins may change super admins. */
export function isInReach(self: User, user: Pick<User, 'role'>): boolean {
  return user.role !== 'super_admin' || isSuperAdmin(self)
}

/** Lists what an administrator may do to a user; only super admins may delete super admins (accounts specification, section 2). */
export function listUserActions(self: User, user: User, panel: Panel): UserAction[] {
  if (!isInReach(self, user)) return []
  const isSelf = user.id === self.id
  const actions: (UserAction | false)[] = [
    'edit',
    isSuperAdmin(self) && 'reset-password',
    !isSelf && user.two_factor_enabled && 'reset-2fa',
    !isSelf && 'status',
    !isSelf && 'revoke',
    !isSelf && (panel === 'super_admin' || user.role !== 'super_admin') && 'delete',
  ]
  return actions.filter((action) => action !== false)
}
