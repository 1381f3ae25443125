import { Menu, Text } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { useState } from 'react'
import { admin } from '#contract/endpoints/admin.ts'
import type { User } from '#contract/entities/user.ts'
import { call } from '../../shared/api/client.ts'
import { displayName } from '../../shared/format.ts'
import { useUser } from '../../shared/session/session.ts'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useAdminAct } from './use-admin.ts'

/** What an admin may do to a user; nothing of it to a super admin but looking, and nothing to oneself. */
export function AdminUserMenu({ user, onDetails }: { user: User; onDetails: () => void }) {
  const act = useAdminAct()
  const self = useUser()
  const [asking, setAsking] = useState<'revoke' | 'delete'>()
  const close = () => setAsking(undefined)
  const params = { id: user.id }
  const isUntouchable = user.role === 'super_admin' || user.id === self.id

  function setStatus() {
    act.mutate({
      run: () => call(admin.setStatus, { params, body: { is_active: !user.is_active } }),
      success: user.is_active ? 'User deactivated' : 'User activated',
      failure: 'Failed to update user status',
    })
  }
  function revoke() {
    const run = () => call(admin.revokeSessions, { params })
    act.mutate({ run, success: 'Sessions revoked', failure: 'Failed to revoke sessions', onDone: close })
  }
  function remove() {
    const run = () => call(admin.deleteUser, { params })
    act.mutate({ run, success: 'User deleted', failure: 'Failed to delete user', onDone: close })
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
          {!isUntouchable && (
            <>
              <Menu.Item onClick={setStatus}>{user.is_active ? 'Deactivate' : 'Activate'}</Menu.Item>
              <Menu.Item onClick={() => setAsking('revoke')}>Revoke Sessions</Menu.Item>
              <Menu.Divider />
              <Menu.Item color="var(--mantine-color-error)" onClick={() => setAsking('delete')}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        title="Revoke sessions"
        confirmLabel="Revoke Sessions"
        isOpen={asking === 'revoke'}
        isBusy={act.isPending}
        onConfirm={revoke}
        onClose={close}
      >
        <Text>Are you sure you want to revoke all sessions for this user?</Text>
        <Text c="dimmed" mt="xs">
          {displayName(user)} is signed out everywhere.
        </Text>
      </ConfirmDialog>
      <DeleteUserDialog
        user={user}
        isOpen={asking === 'delete'}
        isBusy={act.isPending}
        onConfirm={remove}
        onClose={close}
      />
    </>
  )
}

interface DeleteUserDialogProps {
  user: User
  isOpen: boolean
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Says whom and what deleting loses. */
export function DeleteUserDialog({ user, ...rest }: DeleteUserDialogProps) {
  return (
    <ConfirmDialog title="Delete user" confirmLabel="Delete user" {...rest}>
      <Text>
        <strong>
          <bdi>{displayName(user)}</bdi>
        </strong>{' '}
        ({user.email}) is deleted with all recordings, transcripts, translations and keywords. This action cannot be
        undone!
      </Text>
    </ConfirmDialog>
  )
}
