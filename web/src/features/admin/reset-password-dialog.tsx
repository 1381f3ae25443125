import { Alert, Button, Checkbox, List, Modal, PasswordInput, Text } from '@mantine/core'
import { superAdmin } from '#contract/endpoints/admin.ts'
import type { KeptAddress, User } from '#contract/entities/user.ts'
import { changeRules } from '#contract/password-rules.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { displayName } from '../../shared/format.ts'
import { PasswordChecklist } from '../../shared/password/password-checklist.tsx'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { AddressChoiceField } from '../../shared/form/address-choice-field.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { useAdminAction } from './use-admin.ts'

interface ResetPasswordDialogProps {
  user: User
  isOpen: boolean
  onClose: () => void
}

/** Sets a password that must be changed at the next sign-in; lists the requirements (accounts specification, section 5). */
export function ResetPasswordDialog({ user, isOpen, onClose }: ResetPasswordDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Reset Password')}>
      <ResetForm user={user} onClose={onClose} />
    </Modal>
  )
}

const initialValues: { new_password: string; open_library: boolean; address: KeptAddress } = {
  new_password: '',
  open_library: false,
  address: 'former',
}

function ResetForm({ user, onClose }: { user: User; onClose: () => void }) {
  const action = useAdminAction()
  const { form, submit, isBusy, error } = useMutationForm({
    initialValues,
    validate: ({ new_password: password }) => (password.trim() ? {} : { new_password: t('Password cannot be empty') }),
    send: ({ new_password, open_library: opensLibrary, address }) =>
      action.mutateAsync({
        run: () =>
          call(superAdmin.resetPassword, {
            params: { id: user.id },
            body: { new_password, ...(opensLibrary && { open_library: true, address }) },
          }),
        success: t('Password reset'),
        failure: t('Failed to reset password'),
        onDone: onClose,
      }),
    // Unmet requirements are shown as a list.
    sortErrors: () => ({ fields: {} }),
  })
  const former = user.library_closure?.former_email ?? null
  const details = error instanceof ApiError ? error.details : []

  return (
    <Form onSubmit={submit}>
      <Text>
        {rich('{name} will be signed out everywhere and must choose a new password at the next sign-in.', {
          name: <Isolated>{displayName(user)}</Isolated>,
        })}
      </Text>
      {details.length > 0 && (
        <Alert color="red" role="alert" title={t('Password requirements not met')}>
          <List size="sm">
            {details.map((detail) => (
              <List.Item key={detail}>{detail}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <PasswordInput
        label={t('New password')}
        autoComplete="new-password"
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide password'), tabIndex: 0 }}
        {...form.getInputProps('new_password')}
      />
      <PasswordChecklist password={form.values.new_password} rules={changeRules} />
      <Checkbox
        label={t('Keep the library open: I have verified who is asking')}
        description={t(
          'Otherwise it is closed until they enter their former password or a code from their second factor. This is recorded in the audit trail.',
        )}
        {...form.getInputProps('open_library', { type: 'checkbox' })}
      />
      {former !== null && form.values.open_library && (
        <AddressChoiceField
          former={former}
          present={user.email}
          value={form.values.address}
          onChange={(address) => form.setFieldValue('address', address)}
        />
      )}
      <DialogActions onCancel={onClose} mt={20}>
        <Button type="submit" loading={isBusy}>
          {t('Reset Password')}
        </Button>
      </DialogActions>
    </Form>
  )
}
