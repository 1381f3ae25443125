import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { isAdmin, isSuperAdmin } from '../../shared/session/session.ts'
import { pageList, type PageName } from '../page-list.ts'

/** Pages offered by the command palette, by name; the others need a link, a recording or an account, or no session. */
const labels: Partial<Record<PageName, string>> = {
  dashboard: t('Library'),
  upload: t('New recording'),
  trash: t('Trash'),
  search: t('Search'),
  profile: t('Profile Settings'),
  security: t('Security & 2FA'),
  preferences: t('Settings'),
  keywords: t('Keyword Settings'),
  integrations: t('Integrations'),
  overview: t('Administration'),
  admin: t('Admin Panel'),
  superAdmin: t('Super Admin Panel'),
  invitations: t('Invitations'),
  sessions: t('Sessions of all users'),
  signInSettings: t('Sign-in settings'),
  outbox: t('Mail'),
  audit: t('Audit log'),
  system: t('System'),
  watchFolder: t('Watch folder'),
  models: t('Models'),
  support: t('Support'),
}

/** Lists the pages that a user may open, with their names. */
export function listPalettePages(user: User): { path: string; label: string }[] {
  const mayOpen = { public: true, user: true, admin: isAdmin(user), super_admin: isSuperAdmin(user) }
  return Object.entries(pageList).flatMap(([name, { path, access }]) => {
    const label = labels[name as PageName] // a constant object has no other keys
    return label !== undefined && mayOpen[access] ? [{ path, label }] : []
  })
}
