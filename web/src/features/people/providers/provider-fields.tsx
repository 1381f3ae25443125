import { Checkbox, Select, Stack, TagsInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { GroupRole } from '#contract/entities/sign-in-provider.ts'
import { roles, type Role } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { roleOptions } from '../roles.ts'
import { GroupRolesField } from './group-roles-field.tsx'
import classes from './providers.module.css'

/** What both kinds of providers have. */
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

/** A titled group of fields. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend>{title}</legend>
      <Stack>{children}</Stack>
    </fieldset>
  )
}

/** Who may come. */
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
