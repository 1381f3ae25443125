import IconBox from '@tabler/icons-react/dist/esm/icons/IconBox.mjs'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import IconFolderDown from '@tabler/icons-react/dist/esm/icons/IconFolderDown.mjs'
import IconGavel from '@tabler/icons-react/dist/esm/icons/IconGavel.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconServer from '@tabler/icons-react/dist/esm/icons/IconServer.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { useKnownInstanceState } from '../../shared/use-instance-state.ts'
import common from '../../shared/ui/common.module.css'
import classes from './console.module.css'

interface ConsoleLink {
  to: string
  label: string
  icon: typeof IconBox
  isSuper?: boolean
  /** Other pages of the same section. */
  parts?: string[]
}

const links: ConsoleLink[] = [
  { to: '/admin/overview', label: t('Overview'), icon: IconLayoutDashboard },
  { to: '/admin', label: t('Users'), icon: IconUsers, parts: ['/super-admin', '/admin/user'] },
  { to: '/admin/invitations', label: t('Invitations'), icon: IconUserPlus },
  { to: '/admin/sessions', label: t('Sessions'), icon: IconDevices },
  { to: '/admin/sign-in', label: t('Sign-in'), icon: IconLogin2, isSuper: true },
  { to: '/super-admin/outbox', label: t('Mail'), icon: IconMail, isSuper: true },
  { to: '/admin/audit', label: t('Audit'), icon: IconHistory },
  { to: '/admin/retention', label: t('Retention'), icon: IconGavel },
  { to: '/admin/watch-folder', label: t('Watch folder'), icon: IconFolderDown },
  { to: '/admin/system', label: t('System'), icon: IconServer },
  { to: '/admin/system/models', label: t('Models'), icon: IconBox, isSuper: true },
]

/** The path of the user list: super admins have one with more actions (accounts specification, section 2). */
export const usersPath = (isSuper: boolean) => (isSuper ? '/super-admin' : '/admin')

/** Links to the administration pages that the user's role may open: a column, or a scrolling row on a narrow screen. */
export function ConsoleNav() {
  const isSuper = isSuperAdmin(useUser())
  const { pathname } = useLocation()
  const current = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  return (
    <nav aria-label={t('Administration')} className={classes.nav}>
      <ul>
        {links
          .filter((link) => !link.isSuper || isSuper)
          .map(({ to, label, icon: Icon, parts }) => {
            const isPage = pathname === to
            const isPart = parts?.includes(pathname) ?? false
            return (
              <li key={to}>
                <Link
                  ref={isPage || isPart ? current : undefined}
                  to={to === '/admin' ? usersPath(isSuper) : to}
                  className={`${common.navLink} ${classes.link}`}
                  aria-current={isPage || (isPart && pathname === usersPath(isSuper)) ? 'page' : isPart || undefined}
                >
                  <Icon size={18} stroke={1.5} aria-hidden />
                  {label}
                  {to === '/admin/system' && <SystemProblems />}
                </Link>
              </li>
            )
          })}
      </ul>
    </nav>
  )
}

/** The number of problems shown on the System page; renders nothing if there are none. */
function SystemProblems() {
  const { data } = useKnownInstanceState()
  const count = data?.warnings.filter(({ severity }) => severity === 'problem').length ?? 0
  if (count === 0) return undefined
  return (
    <span className={classes.badge}>
      <span aria-hidden>{formatNumber(count)}</span>
      <VisuallyHidden>{`, ${t('{count, plural, one {# problem} other {# problems}}', { count })}`}</VisuallyHidden>
    </span>
  )
}
