import { Badge, Menu, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconCrown from '@tabler/icons-react/dist/esm/icons/IconCrown.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import IconTags from '@tabler/icons-react/dist/esm/icons/IconTags.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { Link, useNavigate } from 'react-router-dom'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { displayName } from '../../shared/format.ts'
import { isAdmin, isSuperAdmin, useSessionActions } from '../../shared/session/session.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { themeChoices, useTheme } from '../../shared/use-theme.ts'
import classes from './shell.module.css'

/** Light, dark or the system setting: three entries of the account menu. */
function ThemeSwitch() {
  const { theme, choose } = useTheme()
  return (
    <Menu.RadioGroup value={theme} onChange={choose}>
      {themeChoices.map(({ value, label }) => (
        <Menu.RadioItem key={value} value={value}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}

const iconProps = { size: 18, stroke: 1.5 } as const

/** Shows who is signed in, with the menu of accounts specification, section 2. */
export function UserMenu({ user }: { user: User }) {
  const signOut = useSignOut()
  return (
    <Menu width={248} position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.user}>
          <VisuallyHidden>{t('Account menu of {name}:', { name: displayName(user) })} </VisuallyHidden>
          <UserFacts user={user} />
          <IconChevronDown size={16} stroke={1.5} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={560} c="var(--mantine-color-text)" truncate>
            <Isolated isCut>{displayName(user)}</Isolated>
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings/profile" leftSection={<IconUser {...iconProps} />}>
          {t('Profile Settings')}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to="/settings/security"
          leftSection={<IconShieldLock {...iconProps} />}
          rightSection={user.two_factor_enabled && <Badge size="sm">{t('Enabled')}</Badge>}
        >
          {t('Security & 2FA')}
        </Menu.Item>
        <Menu.Item component={Link} to="/settings/general" leftSection={<IconTags {...iconProps} />}>
          {t('Keyword Settings')}
        </Menu.Item>
        <Menu.Item component={Link} to="/settings/integrations" leftSection={<IconPlugConnected {...iconProps} />}>
          {t('Integrations')}
        </Menu.Item>
        <Menu.Item component={Link} to="/settings/preferences" leftSection={<IconSettings {...iconProps} />}>
          {t('Settings')}
        </Menu.Item>
        {isAdmin(user) && (
          <Menu.Item component={Link} to="/admin" leftSection={<IconUsers {...iconProps} />}>
            {t('Admin Panel')}
          </Menu.Item>
        )}
        {isSuperAdmin(user) && (
          <Menu.Item component={Link} to="/super-admin" leftSection={<IconCrown {...iconProps} />}>
            {t('Super Admin Panel')}
          </Menu.Item>
        )}
        <Menu.Divider />
        <ThemeSwitch />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout {...iconProps} />} onClick={() => void signOut()}>
          {t('Sign Out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function UserFacts({ user }: { user: User }) {
  const name = displayName(user)
  return (
    <>
      <span className={classes.avatar} aria-hidden>
        {[...name][0]?.toLocaleUpperCase()}
      </span>
      <Stack component="span" gap={0} miw={0} lh={1.25} ta="start">
        <span className={classes.nameLine}>
          <Isolated>{name}</Isolated>
          {user.two_factor_enabled && (
            <IconShieldCheck size={15} stroke={1.75} color="var(--awaz-accent)" aria-label={t('Two-factor enabled')} />
          )}
          {!user.is_verified && (
            <Badge color="amber" size="xs">
              {t('Unverified')}
            </Badge>
          )}
        </span>
        <Text span inherit truncate c="dimmed" fz="xs">
          {user.email}
        </Text>
      </Stack>
    </>
  )
}

function useSignOut() {
  const session = useSessionActions()
  const navigate = useNavigate()
  return async () => {
    try {
      await session.signOut()
      toastSuccess(t('Logged out successfully'))
    } catch {
      toastError(t('Logout failed'))
    }
    await navigate('/login')
  }
}
