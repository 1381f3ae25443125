import { AppError } from '#contract/app-error.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { AuthUser } from '#server/http/context.ts'

/** Throws `forbidden` if an admin tries to change a super admin. */
export function assertCanManage(actor: Pick<AuthUser, 'role'>, target: UserRecord): void {
  if (target.role === 'super_admin' && actor.role !== 'super_admin') {
    throw new AppError('forbidden', 'Only a super admin may change a super admin')
  }
}

/** Throws `conflict` if admins are about to lock themselves out through the list of users. */
export function assertNotSelf(actor: AuthUser, target: UserRecord, action: keyof typeof selfMessages): void {
  if (target.id === actor.id) throw new AppError('conflict', selfMessages[action])
}

const selfMessages = {
  deactivate: 'You cannot deactivate your own account',
  delete: 'You cannot delete your own account',
  role: 'You cannot change your own role',
  email: 'You cannot change your own address',
  two_factor: 'You cannot reset your own two-factor authentication. Disable it in your security settings.',
}
