import type { Role } from '#contract/entities/user.ts'

export const roleNames: Record<Role, string> = { user: 'User', admin: 'Admin', super_admin: 'Super admin' }

/** What a role may do, for the person who assigns it. */
export const roleMeanings: Record<Role, string> = {
  user: 'Users work with their own recordings.',
  admin: 'Admins manage users and other admins, and read the audit trail.',
  super_admin: 'Super admins manage everybody, set passwords and read the outbox.',
}
