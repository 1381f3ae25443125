import { Menu, Text } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { useDisclosure } from '@mantine/hooks'
import type { Invitation } from '#contract/entities/invitation.ts'
import { t } from '#contract/texts/t.ts'
import { useServerConfig } from '../../shared/config.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { toastSuccess } from '../../shared/toast.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { useInvitationActions } from './use-invitations.ts'

/** A menu of what can be done with an invitation; nothing where it has ended or is beyond the reader's role. */
export function InvitationActions({ invitation }: { invitation: Invitation }) {
  const { email, state, role } = invitation
  const self = useUser()
  const sendsMail = useServerConfig()?.is_smtp_configured ?? true
  const { resend, revoke } = useInvitationActions(invitation.id)
  const [isAsking, asking] = useDisclosure(false)
  const isInReach = role !== 'super_admin' || isSuperAdmin(self)
  if (!isInReach || (state !== 'pending' && state !== 'expired')) return null

  function announceResent() {
    const message = sendsMail
      ? t('A new link was sent to {email}. The old one no longer works.', { email })
      : t('There is a new link for {email} on the Mail page. The old one no longer works.', { email })
    toastSuccess(message, { durationMs: 4000 })
  }
  function announceRevoked() {
    toastSuccess(t('Invitation revoked'))
    asking.close()
  }

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton label={t('Actions for {email}', { email })} loading={resend.isPending}>
            <IconDots size={18} stroke={1.5} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => resend.mutate(undefined, { onSuccess: announceResent })}>
            {t('Send a new link')}
          </Menu.Item>
          {state === 'pending' && (
            <Menu.Item color="var(--mantine-color-error)" onClick={asking.open}>
              {t('Revoke')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        title={t('Revoke invitation')}
        confirmLabel={t('Revoke')}
        isOpen={isAsking}
        isBusy={revoke.isPending}
        onConfirm={() => revoke.mutate(undefined, { onSuccess: announceRevoked })}
        onClose={asking.close}
      >
        <Text>
          {rich('The link that was sent to {email} no longer works. You can invite them again.', {
            email: <strong>{email}</strong>,
          })}
        </Text>
      </ConfirmDialog>
    </>
  )
}
