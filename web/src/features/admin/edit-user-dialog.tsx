import { Alert, Button, Modal, SimpleGrid } from '@mantine/core'
import { admin } from '#contract/endpoints/admin.ts'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { EmailField, NameFields, UsernameField } from '../../shared/form/user-fields.tsx'
import { useUser } from '../../shared/session/session.ts'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { useAdminAction } from './use-admin.ts'

interface EditUserDialogProps {
  user: User
  isOpen: boolean
  onClose: () => void
}

/** Names, username and address of a user. */
export function EditUserDialog({ user, isOpen, onClose }: EditUserDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Edit User')} size="lg">
      <EditForm user={user} onClose={onClose} />
    </Modal>
  )
}

function EditForm({ user, onClose }: { user: User; onClose: () => void }) {
  const action = useAdminAction({ fields: ['first_name', 'last_name', 'username', 'email'] })
  const self = useUser()
  const { form, submit, isBusy } = useMutationForm({
    initialValues: {
      first_name: user.first_name,
      last_name: user.last_name,
      username: user.username,
      email: user.email,
    },
    send: (values) =>
      action.mutateAsync({
        run: () => call(admin.updateUser, { params: { id: user.id }, body: values }),
        success: t('User updated'),
        failure: t('Failed to update user'),
        onDone: onClose,
      }),
  })
  const isNewAddress = form.values.email.trim().toLowerCase() !== user.email

  return (
    <Form onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NameFields form={form} focusOn="dialog" />
      </SimpleGrid>
      <UsernameField form={form} />
      <EmailField form={form} required readOnly={user.id === self.id} />
      {isNewAddress && (
        <Alert color="amber">
          {t(
            'An e-mail to the old address lets its owner cancel the change until it takes effect, usually after a day. The user is then signed out and verifies the new address by a link, and the library is closed until they sign in and enter the password or a code from before, or a super admin opens it.',
          )}
        </Alert>
      )}
      <DialogActions onCancel={onClose} mt={20}>
        <Button type="submit" loading={isBusy}>
          {t('Save Changes')}
        </Button>
      </DialogActions>
    </Form>
  )
}
