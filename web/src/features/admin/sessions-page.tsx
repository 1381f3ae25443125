import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { admin } from '#contract/endpoints/admin.ts'
import { t } from '#contract/texts/t.ts'
import type { UserSession } from '#contract/user-list.ts'
import { call } from '../../shared/api/client.ts'
import { formatAgo, formatMoment } from '../../shared/format.ts'
import { type TableColumn, DataTable } from '../../shared/ui/data-table.tsx'
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
          <DataTable label={t('Sessions')} columns={sessionColumns} rows={data.sessions} keyOf={({ id }) => id} />
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

const sessionColumns: TableColumn<UserSession>[] = [
  { title: t('User'), kind: 'subject', render: ({ user }) => <UserName user={user} /> },
  { title: t('Device'), render: ({ user_agent: agent }) => describeAgent(agent) },
  { title: t('Address'), render: ({ ip_address: address }) => address },
  { title: t('Last used'), kind: 'date', render: ({ last_used: lastUsed }) => formatAgo(lastUsed) },
  { title: t('Ends'), kind: 'date', render: ({ expires_at: end }) => formatMoment(end) },
  { title: t('Actions'), kind: 'actions', render: (session) => <EndSession session={session} user={session.user} /> },
]
