import { Button, Group, Menu, Text } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { t } from '#contract/texts/t.ts'
import type { BulkUserAction } from '#contract/user-list.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { bulkActionWords } from './bulk-words.ts'
import classes from './bulk.module.css'
import { maxSelected, type UserSelection } from './use-user-selection.ts'

interface BulkBarProps {
  selection: UserSelection
  isBusy: boolean
  onAction: (action: BulkUserAction) => void
}

/** The actions that apply to all selected users at once. */
export function BulkBar({ selection, isBusy, onAction }: BulkBarProps) {
  const count = selection.users.length
  const actions: BulkUserAction[] = ['activate', 'deactivate', 'revoke_sessions']
  return (
    <section className={classes.bar} aria-label={t('Selection')}>
      <IconButton label={t('Clear selection')} onClick={selection.clear}>
        <IconX size={18} stroke={1.5} />
      </IconButton>
      <Text span inherit flex={1} miw={128} fz="sm" fw={560} role="status">
        {count === maxSelected
          ? t('{count, plural, one {# user selected} other {# users selected}} (no more at once)', { count })
          : t('{count, plural, one {# user selected} other {# users selected}}', { count })}
      </Text>
      <Group gap="xs">
        {actions.map((action) => (
          <Button key={action} variant="default" size="xs" disabled={isBusy} onClick={() => onAction(action)}>
            {bulkActionWords[action].label}
          </Button>
        ))}
        <Menu position="top-end">
          <Menu.Target>
            <Button
              variant="default"
              size="xs"
              disabled={isBusy}
              rightSection={<IconChevronDown size={14} stroke={1.5} aria-hidden />}
            >
              {t('Change role')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onAction('make_user')}>{bulkActionWords.make_user.label}</Menu.Item>
            <Menu.Item onClick={() => onAction('make_admin')}>{bulkActionWords.make_admin.label}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Button
          variant="default"
          size="xs"
          c="var(--mantine-color-error)"
          disabled={isBusy}
          leftSection={<IconTrash size={16} stroke={1.5} aria-hidden />}
          onClick={() => onAction('delete')}
        >
          {t('Delete')}
        </Button>
      </Group>
    </section>
  )
}
