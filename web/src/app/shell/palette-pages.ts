import type { User } from '#contract/entities/user.ts'
import { isAdmin, isSuperAdmin } from '../../shared/session/session.ts'
import { pageList, type PageName } from '../page-list.ts'

/** Pages that the command palette offers, by name; the others need a link, a recording or an account without a session. */
const labels: Partial<Record<PageName, string>> = {
  dashboard: 'Library',
  upload: 'New recording',
  search: 'Search',
  profile: 'Profile Settings',
  security: 'Security & 2FA',
  preferences: 'Settings',
  keywords: 'Keyword Settings',
  integrations: 'Integrations',
  overview: 'Administration',
  admin: 'Admin Panel',
  superAdmin: 'Super Admin Panel',
  invitations: 'Invitations',
  sessions: 'Sessions of all users',
  signInSettings: 'Sign-in settings',
  outbox: 'Mail',
  audit: 'Audit log',
  system: 'System',
  watchFolder: 'Watch folder',
  models: 'Models',
  support: 'Support',
}

/** Lists the pages that a user may open, with their names. */
export function listPalettePages(user: User): { path: string; label: string }[] {
  const mayOpen = { public: true, user: true, admin: isAdmin(user), super_admin: isSuperAdmin(user) }
  return Object.entries(pageList).flatMap(([name, { path, access }]) => {
    const label = labels[name as PageName] // the keys of a constant object are its keys
    return label !== undefined && mayOpen[access] ? [{ path, label }] : []
  })
}
