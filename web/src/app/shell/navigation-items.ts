import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconStack2 from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs'
import IconTags from '@tabler/icons-react/dist/esm/icons/IconTags.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { isAdmin } from '../../shared/session/session.ts'

interface NavigationItem {
  label: string
  to: string
  icon: typeof IconBell
  /** Addresses of the same part of the product, by how they begin; the longest that fits decides. */
  sections: string[]
  isAdminOnly?: boolean
}

const items: NavigationItem[] = [
  {
    label: t('Library'),
    to: '/dashboard',
    icon: IconStack2,
    sections: ['/dashboard', '/upload', '/transcribe', '/trash'],
  },
  { label: t('Search'), to: '/search', icon: IconListSearch, sections: ['/search'] },
  { label: t('Alerts'), to: '/alerts', icon: IconBell, sections: ['/alerts'] },
  { label: t('Cases'), to: '/cases', icon: IconBriefcase, sections: ['/cases'] },
  { label: t('Keywords'), to: '/settings/general', icon: IconTags, sections: ['/settings/general'] },
  { label: t('Settings'), to: '/settings/preferences', icon: IconSettings, sections: ['/settings'] },
  {
    label: t('Administration'),
    to: '/admin',
    icon: IconUsers,
    sections: ['/admin', '/super-admin'],
    isAdminOnly: true,
  },
]

/** Returns the parts of the product that a user may open. */
export function listNavigationItems(user: User): NavigationItem[] {
  return items.filter(({ isAdminOnly }) => !isAdminOnly || isAdmin(user))
}

/** Returns `aria-current` by destination: `page` for the page itself, `true` for another page of that part. */
export function findCurrent(pathname: string): { to: string; current: 'page' | 'true' } | undefined {
  const candidates = items.flatMap(({ to, sections }) => sections.map((section) => ({ to, section })))
  const [nearest] = candidates
    .filter(({ section }) => pathname === section || pathname.startsWith(`${section}/`))
    .toSorted((a, b) => b.section.length - a.section.length)
  return nearest && { to: nearest.to, current: nearest.to === pathname ? 'page' : 'true' }
}
