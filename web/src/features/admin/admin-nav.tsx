import { NavLink } from 'react-router-dom'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import classes from './admin.module.css'

const links = [
  { to: '/admin', label: 'Users', isSuper: false },
  { to: '/super-admin', label: 'Accounts & roles', isSuper: true },
  { to: '/super-admin/outbox', label: 'Mail', isSuper: true },
  { to: '/admin/audit', label: 'Audit trail', isSuper: false },
  { to: '/admin/system', label: 'System', isSuper: false },
  { to: '/admin/system/models', label: 'Models', isSuper: true },
]

/** Links to the administration pages that the user's role may open. */
export function AdminNav() {
  const user = useUser()
  return (
    <nav aria-label="Administration" className={classes.nav}>
      {links
        .filter(({ isSuper }) => !isSuper || isSuperAdmin(user))
        .map(({ to, label }) => (
          <NavLink key={to} to={to} end className={classes.navLink}>
            {label}
          </NavLink>
        ))}
    </nav>
  )
}
