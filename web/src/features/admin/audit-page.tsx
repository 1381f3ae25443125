import { Badge, Button, Select, Text, TextInput } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { admin } from '#contract/endpoints/admin.ts'
import type { Response } from '#contract/endpoint.ts'
import { t } from '#contract/texts/t.ts'
import { call, callForFile } from '../../shared/api/client.ts'
import { formatExactMoment } from '../../shared/format.ts'
import { type TableColumn, DataTable } from '../../shared/ui/data-table.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import classes from './admin.module.css'
import { auditActions, describeAction, outcomeLabels } from './audit-labels.ts'
import { AuditLink, AuditSubject } from './audit-subject.tsx'
import { ConsolePage } from './console-page.tsx'
import { ListTools } from './list-tools.tsx'
import { describeEvent } from './recording-details.ts'
import { describeLoadError } from './use-admin.ts'
import { useCsvDownload } from './use-csv-download.ts'
import { useListState } from './use-list-state.ts'
import { FilterSelect } from './user-filters.tsx'
import { userPath } from './user-path.ts'
import { ListFoot } from './user-table.tsx'

/** Rows per page of the audit trail. */
const perPage = 25
const outcomes = ['success', 'failure', 'denied', 'unsuccessful'] as const
const outcomeFilterLabels = { ...outcomeLabels, unsuccessful: t('Failed or denied') } as const
const colors = { success: 'green', failure: 'red', denied: 'amber' } as const
const dayMs = 24 * 60 * 60_000

/** The audit trail, with search, filters and a CSV download. */
export function AuditPage() {
  return (
    <ConsolePage
      title={t('Audit Trail')}
      lead={t(
        'Sign-ins, denials, administrative acts, and what is done with recordings, whose names are shown only to those who may read them. Entries cannot be changed.',
      )}
    >
      <AuditPanel />
    </ConsolePage>
  )
}

/** The filters in the address. Days are in the reader's time zone, and the last day is included. */
function useAuditFilter() {
  const list = useListState()
  const [from, to] = [list.text('from'), list.text('to')]
  const startMs = Date.parse(`${from}T00:00`)
  const endMs = Date.parse(`${to}T00:00`)
  const filter = {
    search: list.search,
    action: list.filter('action', auditActions),
    outcome: list.filter('outcome', outcomes),
    ...(Number.isFinite(startMs) && { from: new Date(startMs).toISOString() }),
    ...(Number.isFinite(endMs) && { to: new Date(endMs + dayMs - 1).toISOString() }),
  }
  return { list, from, to, filter }
}

function AuditPanel() {
  const { list, from, to, filter } = useAuditFilter()
  const query = { page: list.page, per_page: perPage, ...filter }
  const { data, isPending, error, refetch } = useQuery({
    queryKey: ['audit', query],
    queryFn: () => call(admin.audit, { query }),
    placeholderData: keepPreviousData,
  })
  const message = describeLoadError(error)
  return (
    <div className={classes.surface}>
      <ListTools
        label={t('Search the audit trail')}
        search={list.typed}
        onSearch={list.setTyped}
        onRefresh={() => void refetch()}
        actions={<DownloadButton filter={filter} />}
      >
        <Select
          className={classes.filter}
          searchable
          aria-label={t('Action')}
          data={[
            { value: 'any', label: t('Any action') },
            ...auditActions.map((action) => ({ value: action, label: describeAction(action) })),
          ]}
          value={filter.action || 'any'}
          onChange={(value) => list.setFilter('action', value === 'any' || value === null ? '' : value)}
        />
        <FilterSelect
          label={t('Outcome')}
          anyLabel={t('Any outcome')}
          choices={outcomes.map((outcome) => ({ value: outcome, label: outcomeFilterLabels[outcome] }))}
          value={filter.outcome}
          onChange={(value) => list.setFilter('outcome', value)}
        />
        <DayInput label={t('From')} value={from} onChange={(day) => list.setFilter('from', day)} />
        <DayInput label={t('To')} value={to} onChange={(day) => list.setFilter('to', day)} />
      </ListTools>
      {message && <ErrorNotice message={message} onRetry={() => void refetch()} />}
      {isPending && <LoadingNotice label={t('Loading the audit trail')} />}
      {!message && data?.events.length === 0 && (
        <Notice
          title={t('No entries')}
          icon={<IconHistory size={22} stroke={1.5} />}
          action={
            <Button variant="default" onClick={list.clear}>
              {t('Show all entries')}
            </Button>
          }
        >
          {t('Nothing matches this search and these filters.')}
        </Notice>
      )}
      {!message && data && data.events.length > 0 && (
        <>
          <DataTable label={t('Audit trail')} columns={columns} rows={data.events} keyOf={({ id }) => id} />
          <ListFoot
            count={t('{total, plural, one {# entry} other {# entries}}', { total: data.total })}
            pages={data.pages}
            page={list.page}
            onPage={list.setPage}
          />
        </>
      )}
    </div>
  )
}

function DayInput({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <TextInput
      type="date"
      className={`${classes.filter} ${classes.day}`}
      aria-label={label}
      leftSection={<Text size="sm">{label}</Text>}
      // About 8 px per letter.
      leftSectionWidth={20 + 8 * label.length}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function DownloadButton({ filter }: Pick<ReturnType<typeof useAuditFilter>, 'filter'>) {
  const download = useCsvDownload()
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      loading={download.isPending}
      onClick={() =>
        download.mutate({
          fileName: 'awaz-audit.csv',
          load: () => callForFile(admin.auditCsv, { query: filter }),
          success: t('Audit trail downloaded'),
        })
      }
    >
      {t('Download CSV')}
    </Button>
  )
}

type AuditEvent = Response<typeof admin.audit>['events'][number]

const columns: TableColumn<AuditEvent>[] = [
  { title: t('When'), kind: 'date', render: ({ at }) => formatExactMoment(at) },
  {
    title: t('Action'),
    kind: 'text',
    render: (event) => (
      <div>
        {describeAction(event.action)}
        {event.details && (
          <Text size="sm" c="dimmed">
            <Isolated>{describeEvent(event)}</Isolated>
          </Text>
        )}
      </div>
    ),
  },
  {
    title: t('Outcome'),
    render: ({ outcome }) => (
      <Badge color={colors[outcome]} miw="max-content">
        {outcomeLabels[outcome]}
      </Badge>
    ),
  },
  {
    title: t('Who'),
    kind: 'wide-text',
    render: (event) => (
      <div>
        {event.actor_id ? <AuditLink to={userPath(event.actor_id)}>{event.actor}</AuditLink> : event.actor}
        <Text size="sm" c="dimmed">
          {event.ip_address}
        </Text>
      </div>
    ),
  },
  { title: t('Subject'), kind: 'text', render: (event) => <AuditSubject event={event} /> },
]
