import { Table, VisuallyHidden } from '@mantine/core'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { admin } from '#contract/endpoints/admin.ts'
import { t } from '#contract/texts/t.ts'
import type { UserSession } from '#contract/user-list.ts'
import { call } from '../../shared/api/client.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { describeAgent } from '../../shared/user-agent.ts'
import classes from './admin.module.css'
import { ConsolePage } from './console-page.tsx'
import { EndSession } from './end-session.tsx'
import { ListTools } from './list-tools.tsx'
import { adminKey, describeLoadError, useRefresh } from './use-admin.ts'
import { useListState } from './use-list-state.ts'
import { ListFoot, UserName } from './user-table.tsx'

const perPage = 25

/** Where everybody is signed in. */
export function SessionsPage() {
  return (
    <ConsolePage title={t('Sessions')} lead={t('Every browser and program that is signed in, last used first.')}>
      <SessionsPanel />
    </ConsolePage>
  )
}

function SessionsPanel() {
  const list = useListState()
  const refresh = useRefresh()
  const query = { search: list.search, page: list.page, per_page: perPage }
  const { data, isPending, error, refetch } = useQuery({
    queryKey: [adminKey, 'sessions', query],
    queryFn: () => call(admin.listSessions, { query }),
    placeholderData: keepPreviousData,
  })
  const message = describeLoadError(error)
  return (
    <div className={classes.surface}>
      <ListTools
        label={t('Search by name or e-mail')}
        search={list.typed}
        onSearch={list.setTyped}
        onRefresh={refresh}
      />
      {message && <ErrorNotice message={message} onRetry={() => void refetch()} />}
      {isPending && <LoadingNotice label={t('Loading the sessions')} />}
      {!message && data?.sessions.length === 0 && (
        <Notice title={t('No sessions')} icon={<IconDevices size={22} stroke={1.5} />}>
          {list.search ? t('Nobody who matches this search is signed in.') : t('Nobody is signed in.')}
        </Notice>
      )}
      {!message && data && data.sessions.length > 0 && (
        <>
          <SessionTable sessions={data.sessions} />
          <ListFoot
            count={t('{total, plural, one {# session} other {# sessions}}', { total: data.total })}
            pages={data.pages}
            page={list.page}
            onPage={list.setPage}
          />
        </>
      )}
    </div>
  )
}

function SessionTable({ sessions }: { sessions: UserSession[] }) {
  return (
    <div className={classes.scroller}>
      <Table aria-label={t('Sessions')} className={classes.cards}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('User')}</Table.Th>
            <Table.Th>{t('Device')}</Table.Th>
            <Table.Th>{t('Address')}</Table.Th>
            <Table.Th>{t('Last used')}</Table.Th>
            <Table.Th>{t('Ends')}</Table.Th>
            <Table.Th>
              <VisuallyHidden>{t('Actions')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Td className={classes.besideActions}>
                <UserName user={session.user} />
              </Table.Td>
              <Table.Td data-label={t('Device')}>{describeAgent(session.user_agent)}</Table.Td>
              <Table.Td data-label={t('Address')}>{session.ip_address}</Table.Td>
              <Table.Td data-label={t('Last used')} className={classes.date}>
                {formatAgo(session.last_used)}
              </Table.Td>
              <Table.Td data-label={t('Ends')} className={classes.date}>
                {formatMoment(session.expires_at)}
              </Table.Td>
              <Table.Td className={classes.actions}>
                <EndSession session={session} user={session.user} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
