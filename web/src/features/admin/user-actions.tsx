import { Menu } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { Fragment } from 'react'
import { Link } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { displayName } from '../../shared/format.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { userPath } from './user-path.ts'
import type { Panel } from './user-policy.ts'
import { useUserActions } from './use-user-actions.tsx'

/** A menu of everything the signed-in user may do to a user; for users beyond their role, only the details. */
export function UserActions({ user, panel }: { user: User; panel: Panel }) {
  const { actions, dialogs } = useUserActions(user, { panel })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={t('Actions for {name}', { name: isolateName(displayName(user)) })} size="lg">
            <IconDots size={18} stroke={1.5} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={userPath(user.id)}>
            {t('View Details')}
          </Menu.Item>
          {actions.map(({ name, label, run }) => (
            <Fragment key={name}>
              {name === 'delete' && <Menu.Divider />}
              <Menu.Item onClick={run} {...(name === 'delete' && { color: 'var(--mantine-color-error)' })}>
                {label}
              </Menu.Item>
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
      {dialogs}
    </>
  )
}
