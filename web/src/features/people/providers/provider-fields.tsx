import { Checkbox, Select, Stack, TagsInput, Button, Input, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { GroupRole } from '#contract/entities/sign-in-provider.ts'
import { roles, type Role } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { IconButton } from '../../../shared/ui/icon-button.tsx'
import { roleOptions } from '../roles.ts'
import classes from './providers.module.css'

/** Values that both kinds of providers have. */
interface SharedValues {
  allowed_domains: string[]
  group_roles: GroupRole[]
  default_role: Role | null
}

/** The part of a provider's form that the shared fields need. */
export interface ProviderSource {
  values: SharedValues
  errors: Record<string, ReactNode>
  getInputProps: (name: string, options?: { type: 'checkbox' }) => object
  setFieldValue: {
    (name: 'group_roles', value: GroupRole[]): void
    (name: 'default_role', value: Role | null): void
  }
}

interface GroupRolesFieldProps {
  groupRoles: GroupRole[]
  error: ReactNode
  onChange: (groupRoles: GroupRole[]) => void
}

/** A titled group of fields. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend>{title}</legend>
      <Stack>{children}</Stack>
    </fieldset>
  )
}

/** Who may sign in. */
export function PeopleFields({ form }: { form: ProviderSource }) {
  return (
    <>
      <Checkbox
        label={t('New people get an account when they first sign in')}
        description={t('Otherwise only those who have one already, by the same address.')}
        {...form.getInputProps('creates_users', { type: 'checkbox' })}
      />
      <TagsInput
        label={t('Allowed domains')}
        description={t('Of e-mail addresses, such as example.org. Leave it empty to allow all.')}
        splitChars={[',', ';', ' ']}
        acceptValueOnBlur
        dir="ltr"
        {...form.getInputProps('allowed_domains')}
      />
    </>
  )
}

/** Which role people get. */
export function RoleFields({ form }: { form: ProviderSource }) {
  const { values, errors } = form
  return (
    <>
      <GroupRolesField
        groupRoles={values.group_roles}
        error={errors.group_roles}
        onChange={(groupRoles) => form.setFieldValue('group_roles', groupRoles)}
      />
      <Select
        label={t('Everybody else')}
        description={t('People in none of these groups. Roles are given anew at each sign-in.')}
        data={[...roleOptions(['user', 'admin', 'super_admin']), { value: 'none', label: t('May not sign in') }]}
        value={values.default_role ?? 'none'}
        onChange={(value) => form.setFieldValue('default_role', roles.find((role) => role === value) ?? null)}
      />
    </>
  )
}

/** Groups and the role that their members get; with several, the strongest counts. */
function GroupRolesField({ groupRoles, error, onChange }: GroupRolesFieldProps) {
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
