import { ActionIcon, Popover } from '@mantine/core'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import { useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import IconListSearch from '@tabler/icons-react/dist/esm/icons/IconListSearch.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconStack2 from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs'
import IconTags from '@tabler/icons-react/dist/esm/icons/IconTags.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { UnreadAlerts } from '../../features/alerts/unread-alerts.tsx'
import { isAdmin } from '../../shared/session/session.ts'
import common from '../../shared/ui/common.module.css'
import classes from './navigation.module.css'

interface NavigationItem {
  label: string
  to: string
  icon: typeof IconBell
  /** Prefixes of the addresses in the same part of the product; the longest match wins. */
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
function listNavigationItems(user: User): NavigationItem[] {
  return items.filter(({ isAdminOnly }) => !isAdminOnly || isAdmin(user))
}

/** Returns the current destination and its `aria-current`: `page` for the page itself, `true` for another page of that part. */
function findCurrent(pathname: string): { to: string; current: 'page' | 'true' } | undefined {
  const candidates = items.flatMap(({ to, sections }) => sections.map((section) => ({ to, section })))
  const [nearest] = candidates
    .filter(({ section }) => pathname === section || pathname.startsWith(`${section}/`))
    .toSorted((a, b) => b.section.length - a.section.length)
  return nearest && { to: nearest.to, current: nearest.to === pathname ? 'page' : 'true' }
}

/** The parts of the product, beside the page: icons with names, or only icons where the page needs the width. */
export function NavigationRail({ user }: { user: User }) {
  const { pathname } = useLocation()
  return (
    <nav className={classes.rail} aria-label={t('Main')} data-compact={pathname === '/transcribe' || undefined}>
      <NavigationLinks user={user} />
    </nav>
  )
}

/** The same on a narrow screen, behind a button. */
export function NavigationMenu({ user }: { user: User }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <span className={classes.menu}>
      <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('Navigation')}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconMenu2 size={20} stroke={1.5} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p="xs" aria-label={t('Navigation')}>
          <nav aria-label={t('Main')} className={classes.list}>
            <NavigationLinks user={user} onFollow={() => setIsOpen(false)} />
          </nav>
        </Popover.Dropdown>
      </Popover>
    </span>
  )
}

function NavigationLinks({ user, onFollow }: { user: User; onFollow?: () => void }) {
  const { pathname } = useLocation()
  const current = findCurrent(pathname)
  return (
    <ul>
      {listNavigationItems(user).map(({ label, to, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            className={`${common.navLink} ${classes.link}`}
            title={label}
            aria-current={current?.to === to ? current.current : undefined}
            {...(onFollow && { onClick: onFollow })}
          >
            <Icon size={20} stroke={1.5} aria-hidden />
            <span className={classes.label}>{label}</span>
            {to === '/alerts' && (
              <span className={classes.badge}>
                <UnreadAlerts />
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
