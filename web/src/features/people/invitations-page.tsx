import { Alert, Anchor, Button, Group, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { Link } from 'react-router-dom'
import { InvitationState } from '#contract/entities/invitation.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { useServerConfig } from '../../shared/config.ts'
import { isSuperAdmin, useUser } from '../../shared/session/session.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import adminClasses from '../admin/admin.module.css'
import { ConsolePage } from '../admin/console-page.tsx'
import { ListTools } from '../admin/list-tools.tsx'
import { useListState } from '../admin/use-list-state.ts'
import { ListFoot } from '../admin/user-table.tsx'
import { stateNames } from './describe-invitation.ts'
import { ImportDialog } from './import/import-dialog.tsx'
import { InvitationTable } from './invitation-table.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LinkPlace } from './link-place.tsx'
import classes from './people.module.css'
import { useInvitations } from './use-invitations.ts'

/** Shows everyone who was invited, and ways to invite more people: one by one, or with a CSV file. */
export function InvitationsPage() {
  const isClosed = useServerConfig()?.registration === 'closed'
  const [isInviting, inviting] = useDisclosure(false)
  const [isImporting, importing] = useDisclosure(false)
  return (
    <ConsolePage
      title={t('Invitations')}
      lead={t('Who was invited by a link, with which role, and who has come.')}
      actions={
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconFileSpreadsheet size={16} stroke={1.5} />}
            disabled={isClosed}
            onClick={importing.open}
          >
            {t('Import CSV')}
          </Button>
          <Button leftSection={<IconUserPlus size={16} stroke={1.5} />} disabled={isClosed} onClick={inviting.open}>
            {t('Invite')}
          </Button>
        </Group>
      }
    >
      <div className={classes.stack}>
        {isClosed ? <ClosedNotice /> : <LinkPlace />}
        <InvitationList onInvite={inviting.open} onImport={importing.open} isClosed={isClosed} />
      </div>
      <InviteDialog isOpen={isInviting} onClose={inviting.close} />
      <ImportDialog isOpen={isImporting} onClose={importing.close} />
    </ConsolePage>
  )
}

function ClosedNotice() {
  const isSuper = isSuperAdmin(useUser())
  return (
    <Alert color="amber" icon={<IconLock size={18} stroke={1.5} />} title={t('Registration is closed')}>
      {t('Nobody can be invited, and links that were sent do not work meanwhile.')}{' '}
      {isSuper ? (
        <Anchor component={Link} to="/admin/sign-in" inherit underline="always">
          {t('Open it for invitations')}
        </Anchor>
      ) : (
        t('A super admin can open it for invitations.')
      )}
    </Alert>
  )
}

interface InvitationListProps {
  onInvite: () => void
  onImport: () => void
  isClosed: boolean
}

function InvitationList({ onInvite, onImport, isClosed }: InvitationListProps) {
  const list = useListState()
  const state = list.filter('state', InvitationState.options)
  const { data, isPending, error, refetch } = useInvitations({ page: list.page, search: list.search, state })
  const isFiltered = list.search !== '' || state !== ''
  return (
    <div className={adminClasses.surface}>
      <ListTools
        label={t('Search invitations')}
        search={list.typed}
        onSearch={list.setTyped}
        onRefresh={() => void refetch()}
      >
        <Select
          w={160}
          aria-label={t('State')}
          data={[
            { value: 'any', label: t('Any state') },
            ...InvitationState.options.map((each) => ({ value: each, label: stateNames[each] })),
          ]}
          value={state || 'any'}
          onChange={(value) => list.setFilter('state', value === 'any' || value === null ? '' : value)}
        />
      </ListTools>
      {error && (
        <ErrorNotice message={messageOf(error, t('Network error. Please try again.'))} onRetry={() => void refetch()} />
      )}
      {isPending && <LoadingNotice label={t('Loading invitations')} />}
      {data?.invitations.length === 0 &&
        (isFiltered ? (
          <Notice title={t('No invitations found')}>{t('Nothing matches this search.')}</Notice>
        ) : (
          <NobodyInvited onInvite={onInvite} onImport={onImport} isClosed={isClosed} />
        ))}
      {data && data.invitations.length > 0 && (
        <>
          <InvitationTable invitations={data.invitations} />
          <ListFoot
            count={t('{total, plural, one {# invitation} other {# invitations}}', { total: data.total })}
            pages={data.pages}
            page={list.page}
            onPage={list.setPage}
          />
        </>
      )}
    </div>
  )
}

function NobodyInvited({ onInvite, onImport, isClosed }: InvitationListProps) {
  return (
    <Notice
      title={t('Nobody is invited yet')}
      icon={<IconUserPlus size={22} stroke={1.5} />}
      action={
        !isClosed && (
          <Group gap="xs" justify="center">
            <Button onClick={onInvite}>{t('Invite somebody')}</Button>
            <Button variant="default" onClick={onImport}>
              {t('Import a CSV file')}
            </Button>
          </Group>
        )
      }
    >
      {t(
        'An invitation is a link by mail. Whoever opens it chooses a password, sets up two-factor authentication and is in, with the role you gave. A CSV file invites a whole department at once.',
      )}
    </Notice>
  )
}
