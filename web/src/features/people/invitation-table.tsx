import { Badge, Box, Group, Text } from '@mantine/core'
import type { Invitation, InvitationState } from '#contract/entities/invitation.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { roleNames } from '../admin/role-names.ts'
import { describeState, nameOf, stateNames } from './describe-invitation.ts'
import { InvitationActions } from './invitation-actions.tsx'
import common from '../../shared/ui/common.module.css'
import { type TableColumn, DataTable } from '../../shared/ui/data-table.tsx'

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
