import { Text, Alert, Button, Modal, SimpleGrid } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { admin, superAdmin } from '#contract/endpoints/admin.ts'
import type { User } from '#contract/entities/user.ts'
import { t } from '#contract/texts/t.ts'
import { call } from '../../shared/api/client.ts'
import { displayName } from '../../shared/format.ts'
import { useUser } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { EmailField, NameFields, UsernameField } from '../../shared/form/user-fields.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { ResetPasswordDialog } from './reset-password-dialog.tsx'
import { ResetTwoFactorDialog } from './reset-two-factor-dialog.tsx'
import { useAdminAction } from './use-admin.ts'
import { listUserActions, type Panel, type UserAction } from './user-policy.ts'

interface UserActionsOptions {
  panel: Panel
  onDeleted?: () => void
}

export interface OfferedAction {
  name: UserAction
  label: string
  run: () => void
}

interface EditUserDialogProps {
  user: User
  isOpen: boolean
  onClose: () => void
}

/** Returns everything the signed-in user may do to a user, and the dialogs for it. */
export function useUserActions(user: User, { panel, onDeleted }: UserActionsOptions) {
  const action = useAdminAction()
  const self = useUser()
  const [openDialog, setOpenDialog] = useState<UserAction>()
  const close = () => setOpenDialog(undefined)
  const params = { id: user.id }

  const labels: Record<UserAction, string> = {
    edit: t('Edit'),
    'reset-password': t('Reset Password'),
    'reset-2fa': t('Reset Two-Factor'),
    status: user.is_active ? t('Deactivate') : t('Activate'),
    revoke: t('Revoke Sessions'),
    delete: t('Delete'),
  }

  function setStatus() {
    action.mutate({
      run: () => call(admin.setStatus, { params, body: { is_active: !user.is_active } }),
      success: user.is_active ? t('User deactivated') : t('User activated'),
      failure: t('Failed to update user status'),
    })
  }
  function revoke() {
    const run = () => call(admin.revokeSessions, { params })
    action.mutate({ run, success: t('Sessions revoked'), failure: t('Failed to revoke sessions'), onDone: close })
  }
  function remove() {
    action.mutate({
      run: () => call(panel === 'super_admin' ? superAdmin.deleteUser : admin.deleteUser, { params }),
      success: t('User deleted'),
      failure: t('Failed to delete user'),
      onDone() {
        close()
        onDeleted?.()
      },
    })
  }

  const actions = listUserActions(self, user, panel).map((name): OfferedAction => ({
    name,
    label: labels[name],
    run: name === 'status' ? setStatus : () => setOpenDialog(name),
  }))
  const dialogs: ReactNode = (
    <>
      <EditUserDialog user={user} isOpen={openDialog === 'edit'} onClose={close} />
      <ResetPasswordDialog user={user} isOpen={openDialog === 'reset-password'} onClose={close} />
      <ResetTwoFactorDialog user={user} isOpen={openDialog === 'reset-2fa'} onClose={close} />
      <ConfirmDialog
        title={t('Revoke sessions')}
        confirmLabel={t('Revoke Sessions')}
        isOpen={openDialog === 'revoke'}
        isBusy={action.isPending}
        onConfirm={revoke}
        onClose={close}
      >
        <Text>{t('Are you sure you want to revoke all sessions for this user?')}</Text>
        <Text c="dimmed" mt="xs">
          {rich('{name} is signed out everywhere.', { name: <Isolated>{displayName(user)}</Isolated> })}
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        title={t('Delete user')}
        confirmLabel={t('Delete user')}
        isOpen={openDialog === 'delete'}
        isBusy={action.isPending}
        onConfirm={remove}
        onClose={close}
      >
        <Text>
          {rich(
            '{name} ({email}) is deleted with all recordings, transcripts, translations and keywords. This action cannot be undone!',
            {
              name: (
                <strong>
                  <Isolated>{displayName(user)}</Isolated>
                </strong>
              ),
              email: user.email,
            },
          )}
        </Text>
      </ConfirmDialog>
    </>
  )
  return { actions, dialogs, isBusy: action.isPending }
}

/** Edits the names, username and address of a user. */
function EditUserDialog({ user, isOpen, onClose }: EditUserDialogProps) {
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
