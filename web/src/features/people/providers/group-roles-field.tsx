import { Button, Input, Select, TextInput } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { ReactNode } from 'react'
import type { GroupRole } from '#contract/entities/sign-in-provider.ts'
import { roles } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { roleOptions } from '../roles.ts'
import classes from './providers.module.css'

interface GroupRolesFieldProps {
  groupRoles: GroupRole[]
  error: ReactNode
  onChange: (groupRoles: GroupRole[]) => void
}

/** Groups and the role that their members get; of several the strongest counts. */
export function GroupRolesField({ groupRoles, error, onChange }: GroupRolesFieldProps) {
  function change(index: number, part: Partial<GroupRole>) {
    onChange(groupRoles.map((each, position) => (position === index ? { ...each, ...part } : each)))
  }
  return (
    <Input.Wrapper
      label={t('Roles by group')}
      description={t('The members of a group get its role; in several groups, the strongest.')}
      error={error}
      labelElement="div"
    >
      <ul className={classes.groups}>
        {groupRoles.map(({ group, role }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the position is what a row is known by while its name is typed
          <li key={index} className={classes.group}>
            <TextInput
              aria-label={t('Group {number, number}', { number: index + 1 })}
              placeholder={t('Name, object id or DN')}
              value={group}
              onChange={(event) => change(index, { group: event.currentTarget.value })}
            />
            <Select
              aria-label={t('Role of group {number, number}', { number: index + 1 })}
              data={roleOptions(['user', 'admin', 'super_admin'])}
              value={role}
              onChange={(value) => change(index, { role: roles.find((each) => each === value) ?? role })}
            />
            <IconButton
              label={t('Remove group {number, number}', { number: index + 1 })}
              onClick={() => onChange(groupRoles.filter((_, position) => position !== index))}
            >
              <IconTrash size={16} stroke={1.5} />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.75} />}
        onClick={() => onChange([...groupRoles, { group: '', role: 'user' }])}
      >
        {t('Add group')}
      </Button>
    </Input.Wrapper>
  )
}
