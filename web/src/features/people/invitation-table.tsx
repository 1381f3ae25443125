import { Badge, Box, Group, Text, Menu } from '@mantine/core'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { useDisclosure } from '@mantine/hooks'
import type { Invitation, InvitationState } from '#contract/entities/invitation.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { roleNames } from '../admin/role-names.ts'
import { describeState, nameOf, stateNames } from './describe-invitation.ts'
import common from '../../shared/ui/common.module.css'
import { type TableColumn, DataTable } from '../../shared/ui/data-table.tsx'
import { useServerConfig } from '../../shared/config.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { ConfirmDialog } from '../../shared/ui/confirm-dialog.tsx'
import { useInvitationActions } from './use-invitations.ts'

const stateColors: Record<InvitationState, string> = {
  pending: 'accent',
  accepted: 'green',
  expired: 'amber',
  revoked: 'gray',
}

const columns: TableColumn<Invitation>[] = [
  { title: t('Person'), kind: 'subject', render: (invitation) => <Person invitation={invitation} /> },
  { title: t('Role'), render: ({ role }) => roleNames[role] },
  { title: t('State'), render: (invitation) => <State invitation={invitation} /> },
  {
    title: t('Invited'),
    render: ({ sent_at: sentAt, invited_by: inviter }) => (
      <span title={formatMoment(sentAt)}>
        {rich('{moment} by {name}', { moment: formatAgo(sentAt), name: <Isolated>{inviter}</Isolated> })}
      </span>
    ),
  },
  { title: t('Actions'), kind: 'actions', render: (invitation) => <InvitationActions invitation={invitation} /> },
]

/** A page of invitations. */
export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  return <DataTable label={t('Invitations')} columns={columns} rows={invitations} keyOf={({ id }) => id} />
}

function Person({ invitation }: { invitation: Invitation }) {
  const name = nameOf(invitation)
  return (
    <Box miw={0} maw={384} pe="xl" className={common.wrap}>
      <Text fw={560}>{name ? <Isolated>{name}</Isolated> : invitation.email}</Text>
      {name && (
        <Text size="sm" c="dimmed">
          {invitation.email}
        </Text>
      )}
    </Box>
  )
}

function State({ invitation }: { invitation: Invitation }) {
  const moment = describeState(invitation)
  return (
    <Group gap="0.25rem 0.625rem">
      <Badge color={stateColors[invitation.state]} miw="max-content">
        {stateNames[invitation.state]}
      </Badge>
      {moment && (
        <Text size="sm" c="dimmed" title={formatMoment(invitation.accepted_at ?? invitation.expires_at)}>
          {moment}
        </Text>
      )}
    </Group>
  )
}

/** A menu of actions for an invitation; nothing if it has ended or the user's role does not permit any. */
function InvitationActions({ invitation }: { invitation: Invitation }) {
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
