import { ActionIcon, Popover } from '@mantine/core'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import { useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { UnreadAlerts } from '../../features/alerts/unread-alerts.tsx'
import { findCurrent, listNavigationItems } from './navigation-items.ts'
import classes from './navigation.module.css'

/** The parts of the product beside the page: icons with names, only icons where the page needs the width. */
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
            className={classes.link}
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
