import { Badge, Table, Text, VisuallyHidden } from '@mantine/core'
import type { Invitation, InvitationState } from '#contract/entities/invitation.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import adminClasses from '../admin/admin.module.css'
import { roleNames } from '../admin/role-names.ts'
import { describeState, nameOf, stateNames } from './describe-invitation.ts'
import { InvitationActions } from './invitation-actions.tsx'
import classes from './people.module.css'

const stateColors: Record<InvitationState, string> = {
  pending: 'accent',
  accepted: 'green',
  expired: 'amber',
  revoked: 'gray',
}

/** A page of invitations; cards where a row does not fit. */
export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  return (
    <div className={adminClasses.scroller}>
      <Table aria-label={t('Invitations')} className={adminClasses.cards}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Person')}</Table.Th>
            <Table.Th>{t('Role')}</Table.Th>
            <Table.Th>{t('State')}</Table.Th>
            <Table.Th>{t('Invited')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t('Actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <Table.Tr key={invitation.id}>
              <Table.Td>
                <Person invitation={invitation} />
              </Table.Td>
              <Table.Td data-label={t('Role')}>{roleNames[invitation.role]}</Table.Td>
              <Table.Td data-label={t('State')}>
                <State invitation={invitation} />
              </Table.Td>
              <Table.Td data-label={t('Invited')}>
                <span title={formatMoment(invitation.sent_at)}>
                  {rich('{moment} by {name}', {
                    moment: formatAgo(invitation.sent_at),
                    name: <Isolated>{invitation.invited_by}</Isolated>,
                  })}
                </span>
              </Table.Td>
              <Table.Td className={adminClasses.actions}>
                <InvitationActions invitation={invitation} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Person({ invitation }: { invitation: Invitation }) {
  const name = nameOf(invitation)
  return (
    <div className={classes.person}>
      <Text fw={560}>{name ? <Isolated>{name}</Isolated> : invitation.email}</Text>
      {name && (
        <Text size="sm" c="dimmed">
          {invitation.email}
        </Text>
      )}
    </div>
  )
}

function State({ invitation }: { invitation: Invitation }) {
  const moment = describeState(invitation)
  return (
    <div className={classes.state}>
      <Badge color={stateColors[invitation.state]} miw="max-content">
        {stateNames[invitation.state]}
      </Badge>
      {moment && (
        <Text size="sm" c="dimmed" title={formatMoment(invitation.accepted_at ?? invitation.expires_at)}>
          {moment}
        </Text>
      )}
    </div>
  )
}
