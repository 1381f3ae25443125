import { Menu, Text } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { useState } from 'react'
import { admin, superAdmin } from '#contract/endpoints/admin.ts'
import type { User } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { displayName } from '../../shared/format.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { ResetPasswordDialog } from './reset-password-dialog.tsx'
import { ResetTwoFactorDialog } from './reset-two-factor-dialog.tsx'
import { useAdminAction } from './use-admin.ts'

interface UserActionsProps {
  user: User
  /** Super admins are deleted in the super admin panel alone (accounts specification, section 2). */
  panel: 'admin' | 'super_admin'
  onDetails: () => void
}

type OpenDialog = 'edit' | 'reset-password' | 'reset-2fa' | 'revoke' | 'delete'

/** A menu of everything the signed-in user may do to a user; only details for users beyond their role. */
export function UserActions({ user, panel, onDetails }: UserActionsProps) {
  const action = useAdminAction()
  const self = useUser()
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const close = () => setOpenDialog(undefined)
  const params = { id: user.id }
  const isSelf = user.id === self.id
  const isInReach = user.role !== 'super_admin' || isSuperAdmin(self)
  const isDeletable = !isSelf && (panel === 'super_admin' || user.role !== 'super_admin')

  function setStatus() {
    action.mutate({
      run: () => call(admin.setStatus, { params, body: { is_active: !user.is_active } }),
      success: user.is_active ? 'User deactivated' : 'User activated',
      failure: 'Failed to update user status',
    })
  }
  function revoke() {
    const run = () => call(admin.revokeSessions, { params })
    action.mutate({ run, success: 'Sessions revoked', failure: 'Failed to revoke sessions', onDone: close })
  }
  function remove() {
    const run = () => call(panel === 'super_admin' ? superAdmin.deleteUser : admin.deleteUser, { params })
    action.mutate({ run, success: 'User deleted', failure: 'Failed to delete user', onDone: close })
  }

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={`Actions for ${displayName(user)}`}>
            <IconDots size={18} stroke={1.5} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onDetails}>View Details</Menu.Item>
          {isInReach && <Menu.Item onClick={() => setOpenDialog('edit')}>Edit</Menu.Item>}
          {isSuperAdmin(self) && <Menu.Item onClick={() => setOpenDialog('reset-password')}>Reset Password</Menu.Item>}
          {isInReach && !isSelf && user.two_factor_enabled && (
            <Menu.Item onClick={() => setOpenDialog('reset-2fa')}>Reset Two-Factor</Menu.Item>
          )}
          {isInReach && !isSelf && (
            <>
              <Menu.Item onClick={setStatus}>{user.is_active ? 'Deactivate' : 'Activate'}</Menu.Item>
              <Menu.Item onClick={() => setOpenDialog('revoke')}>Revoke Sessions</Menu.Item>
            </>
          )}
          {isInReach && isDeletable && (
            <>
              <Menu.Divider />
              <Menu.Item color="var(--mantine-color-error)" onClick={() => setOpenDialog('delete')}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <EditUserDialog user={user} isOpen={openDialog === 'edit'} onClose={close} />
      <ResetPasswordDialog user={user} isOpen={openDialog === 'reset-password'} onClose={close} />
      <ResetTwoFactorDialog user={user} isOpen={openDialog === 'reset-2fa'} onClose={close} />
      <ConfirmDialog
        title="Revoke sessions"
        confirmLabel="Revoke Sessions"
        isOpen={openDialog === 'revoke'}
        isBusy={action.isPending}
        onConfirm={revoke}
        onClose={close}
      >
        <Text>Are you sure you want to revoke all sessions for this user?</Text>
        <Text c="dimmed" mt="xs">
          {displayName(user)} is signed out everywhere.
        </Text>
      </ConfirmDialog>
      <ConfirmDialog
        title="Delete user"
        confirmLabel="Delete user"
        isOpen={openDialog === 'delete'}
        isBusy={action.isPending}
        onConfirm={remove}
        onClose={close}
      >
        <Text>
          <strong>
            <bdi>{displayName(user)}</bdi>
          </strong>{' '}
          ({user.email}) is deleted with all recordings, transcripts, translations and keywords. This action cannot be
          undone!
        </Text>
      </ConfirmDialog>
    </>
  )
}
