import { Button, Modal, PasswordInput, Select, SimpleGrid, Switch } from '@mantine/core'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { useState } from 'react'
import { t } from '#contract/texts/t.ts'
import { superAdmin } from '#contract/endpoints/admin.ts'
import { roles, type Role } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { validateInput, type FieldErrors } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { EmailField, NameFields, UsernameField } from '../../shared/form/user-fields.tsx'
import { StrengthMeter } from '../../shared/password/strength-meter.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { ConsolePage } from './console-page.tsx'
import { UserPanel } from './user-panel.tsx'
import { roleMeanings, roleNames } from './role-names.ts'
import { useAdminAction } from './use-admin.ts'

/** The new-user form (accounts specification, section 3). */
interface NewUser {
  email: string
  username: string
  password: string
  first_name: string
  last_name: string
  role: Role
  is_verified: boolean
  is_active: boolean
}

const initialValues: NewUser = {
  email: '',
  username: '',
  password: '',
  first_name: '',
  last_name: '',
  role: 'user',
  is_verified: true,
  is_active: true,
}

/** The super admin panel (accounts specification, section 2). */
export function SuperAdminPage() {
  const [isCreating, setIsCreating] = useState(false)
  return (
    <ConsolePage
      title={t('Super Admin Panel')}
      access="super_admin"
      actions={
        <Button leftSection={<IconUserPlus size={18} stroke={1.5} />} onClick={() => setIsCreating(true)}>
          {t('Create User')}
        </Button>
      }
    >
      <UserPanel panel="super_admin" />
      <CreateUserDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </ConsolePage>
  )
}

/** Validates the form. The contract accepts a blank password, which the server's password rules reject. */
function validate(values: NewUser): FieldErrors {
  return {
    ...validateInput(superAdmin.createUser.body, values),
    ...(!values.password.trim() && { password: t('Password is required') }),
  }
}

/** Creates a user of any role. */
function CreateUserDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Create User')} size="lg">
      <CreateForm onClose={onClose} />
    </Modal>
  )
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const action = useAdminAction({ fields: Object.keys(initialValues) })
  const { form, submit, isBusy } = useMutationForm({
    initialValues,
    validate,
    send: (values) =>
      action.mutateAsync({
        run: () => call(superAdmin.createUser, { body: values }),
        success: t('User created'),
        failure: t('Failed to create user'),
        onDone: onClose,
      }),
  })

  return (
    <Form onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NameFields form={form} focusOn="dialog" />
        <EmailField form={form} required />
        <UsernameField form={form} />
      </SimpleGrid>
      <PasswordInput
        label={t('Password')}
        description={t('The user chooses another at the first sign-in.')}
        autoComplete="new-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide password'), tabIndex: 0 }}
        {...form.getInputProps('password')}
      />
      <StrengthMeter password={form.values.password} />
      <Select
        label={t('Role')}
        required
        description={roleMeanings[form.values.role]}
        data={roles.map((role) => ({ value: role, label: roleNames[role] }))}
        {...form.getInputProps('role')}
        onChange={(value) => form.setFieldValue('role', roles.find((known) => known === value) ?? 'user')}
      />
      <Switch label={t('E-mail is verified')} {...form.getInputProps('is_verified', { type: 'checkbox' })} />
      <Switch label={t('Account is active')} {...form.getInputProps('is_active', { type: 'checkbox' })} />
      <DialogActions onCancel={onClose} mt={20}>
        <Button type="submit" loading={isBusy}>
          {t('Create User')}
        </Button>
      </DialogActions>
    </Form>
  )
}
