import { Badge, Button, Text } from '@mantine/core'
import IconId from '@tabler/icons-react/dist/esm/icons/IconId.mjs'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { displayName, formatAgo, formatMoment } from '../../shared/format.ts'
import { useUser } from '../../shared/session/session.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { Panel as Section } from '../../shared/ui/panel.tsx'
import { roleMeanings, roleNames } from './role-names.ts'
import { RoleSelect } from './role-select.tsx'
import classes from './user-page.module.css'
import { isInReach, type Panel } from './user-policy.ts'
import type { OfferedAction } from './use-user-actions.tsx'

interface UserIdentityProps {
  user: User
  panel: Panel
  edit: OfferedAction | undefined
}

/** Who a user is, and what they may do. */
export function UserIdentity({ user, panel, edit }: UserIdentityProps) {
  const self = useUser()
  const canSetRole = isInReach(self, user) && user.id !== self.id
  return (
    <Section
      title={t('Identity')}
      icon={<IconId size={20} stroke={1.5} aria-hidden />}
      actions={
        edit && (
          <Button variant="default" size="xs" onClick={edit.run}>
            {edit.label}
          </Button>
        )
      }
    >
      <dl className={classes.facts}>
        <dt>{t('Name')}</dt>
        <dd>
          <Isolated>{displayName(user)}</Isolated>
        </dd>
        <dt>{t('Username')}</dt>
        <dd>
          <Isolated>{user.username}</Isolated>
        </dd>
        <dt>{t('Email')}</dt>
        <dd>
          {user.email}
          <Badge color={user.is_verified ? 'green' : 'amber'}>
            {user.is_verified ? t('Verified') : t('Not verified')}
          </Badge>
        </dd>
        <dt>{t('Role')}</dt>
        <dd>{canSetRole ? <RoleSelect user={user} as={panel} /> : roleNames[user.role]}</dd>
        <dt>{t('Joined')}</dt>
        <dd>{formatMoment(user.created_at)}</dd>
        <dt>{t('Last sign-in')}</dt>
        <dd title={user.last_login ? formatMoment(user.last_login) : undefined}>
          {user.last_login ? formatAgo(user.last_login) : t('Never')}
        </dd>
      </dl>
      <Text size="sm" c="dimmed" mt="md">
        {user.id === self.id ? t('This is you. Nobody changes their own role.') : roleMeanings[user.role]}
      </Text>
    </Section>
  )
}
