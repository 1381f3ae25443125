import type { Role } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'

export const roleNames: Record<Role, string> = { user: t('User'), admin: t('Admin'), super_admin: t('Super admin') }

/** The people with each role. */
export const roleGroups: Record<Role, string> = {
  user: t('Users'),
  admin: t('Admins'),
  super_admin: t('Super admins'),
}

/** What each role may do, shown to the person who assigns it. */
export const roleMeanings: Record<Role, string> = {
  user: t('Users work with their own recordings.'),
  admin: t('Admins manage users and other admins, and read the audit trail.'),
  super_admin: t('Super admins manage everybody, set passwords and read the outbox.'),
}
