import { AppError } from '#contract/app-error.ts'
import type { UserDoc } from '#data/users/user-model.ts'
import type { AuthUser } from '#server/http/context.ts'

/** Admins do not touch super admins. @throws AppError `forbidden` */
export function assertCanManage(actor: AuthUser, target: UserDoc): void {
  if (target.role === 'super_admin' && actor.role !== 'super_admin') {
    throw new AppError('forbidden', 'Only a super admin may change a super admin')
  }
}

/** Nobody locks themselves out through a list of users. @throws AppError `conflict` */
export function assertNotSelf(actor: AuthUser, target: UserDoc, action: keyof typeof ownActions): void {
  if (target._id.toHexString() === actor.id) throw new AppError('conflict', ownActions[action])
}

const ownActions = {
  deactivate: 'You cannot deactivate your own account',
  delete: 'You cannot delete your own account',
  role: 'You cannot change your own role',
  email: 'You cannot change your own address',
  two_factor: 'You cannot reset your own two-factor authentication. Disable it in your security settings.',
}
