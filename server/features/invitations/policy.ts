import { AppError } from '#contract/app-error.ts'
import type { Role } from '#contract/entities/user.ts'
import type { SignInSettings } from '#contract/sign-in-settings.ts'
import type { RequestOrigin } from '#server/http/context.ts'

/** The person inviting; the command line has no id. */
export interface Inviter {
  id: string | null
  email: string
  role: Role
}

export interface InviterContext {
  inviter: Inviter
  origin: RequestOrigin
}

/** Returns whether somebody with the role `inviter` may invite people with the given role. */
export function canInvite(inviter: Role, role: Role): boolean {
  return inviter === 'super_admin' || (inviter === 'admin' && role !== 'super_admin')
}

/** Throws `forbidden`. */
export function assertCanInvite(inviter: Inviter, role: Role): void {
  if (canInvite(inviter.role, role)) return
  throw new AppError('forbidden', 'Only a super admin may invite super admins')
}

/** Throws `registration_closed` if nobody can get an account through an invitation. */
export function assertOpen({ registration }: SignInSettings, help: string): void {
  if (registration === 'closed') throw new AppError('registration_closed', 'Registration is closed.', { help })
}
