import { Badge, Button, Select, Table, Text, TextInput } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { admin } from '#contract/endpoints/admin.ts'
import type { Response } from '#contract/endpoint.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call, callForFile } from '../../shared/api/client.ts'
import { downloadFile } from '../../shared/download.ts'
import { formatExactMoment } from '../../shared/format.ts'
import { isAdmin, useUser } from '../../shared/session/session.ts'
import { toastLoading } from '../../shared/toast.tsx'
import { AccessDenied, ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import classes from './admin.module.css'
import { ConsolePage } from './console-page.tsx'
import { auditActions, describeAction, describeDetails, outcomeLabels } from './audit-labels.ts'
import { ListTools } from './list-tools.tsx'
import { useListState } from './use-list-state.ts'
import { Pages } from './user-table.tsx'

/** Rows per page of the audit trail. */
const perPage = 25
const outcomes = ['success', 'failure', 'denied'] as const
const colors = { success: 'green', failure: 'red', denied: 'amber' } as const
const dayMs = 24 * 60 * 60_000

/** The audit trail, with search, filters and a CSV download. */
export function AuditPage() {
  if (!isAdmin(useUser())) return <AccessDenied>You need admin privileges to access this page.</AccessDenied>
  return <AuditPanel />
}

/** The filters of the address: days are those of the reader's time zone, the last included. */
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
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: ['audit', query],
    queryFn: () => call(admin.audit, { query }),
    placeholderData: keepPreviousData,
  })

  async function download() {
    const toast = toastLoading('Preparing the file…')
    try {
      downloadFile('awaz-audit.csv', await callForFile(admin.auditCsv, { query: filter }))
      toast.succeed('Audit trail downloaded')
    } catch (error) {
      toast.fail(messageOf(error, 'Network error. Please try again.'))
    }
  }

  return (
    <ConsolePage
      title="Audit Trail"
      lead="Sign-ins, denials and every administrative act. Entries cannot be changed."
      actions={
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.5} />} onClick={() => void download()}>
          Download CSV
        </Button>
      }
    >
      <div className={classes.surface}>
        <ListTools
          label="Search the audit trail"
          search={list.typed}
          onSearch={list.setTyped}
          onRefresh={() => void refetch()}
        >
          <Select
            w={220}
            searchable
            aria-label="Action"
            data={[
              { value: 'any', label: 'Any action' },
              ...auditActions.map((action) => ({ value: action, label: describeAction(action) })),
            ]}
            value={filter.action || 'any'}
            onChange={(value) => list.setFilter('action', value === 'any' || value === null ? '' : value)}
          />
          <Select
            w={150}
            aria-label="Outcome"
            data={[
              { value: 'any', label: 'Any outcome' },
              ...outcomes.map((outcome) => ({ value: outcome, label: outcomeLabels[outcome] })),
            ]}
            value={filter.outcome || 'any'}
            onChange={(value) => list.setFilter('outcome', value === 'any' || value === null ? '' : value)}
          />
          <TextInput
            type="date"
            aria-label="From"
            leftSection={<Text size="sm">From</Text>}
            leftSectionWidth={52}
            value={from}
            onChange={(event) => list.setFilter('from', event.currentTarget.value)}
          />
          <TextInput
            type="date"
            aria-label="To"
            leftSection={<Text size="sm">To</Text>}
            leftSectionWidth={36}
            value={to}
            onChange={(event) => list.setFilter('to', event.currentTarget.value)}
          />
        </ListTools>
        {isError && <ErrorNotice message="The audit trail could not be loaded." onRetry={() => void refetch()} />}
        {isPending && <LoadingNotice label="Loading the audit trail" />}
        {data?.events.length === 0 && <Notice title="No entries">Nothing matches this search.</Notice>}
        {data && data.events.length > 0 && (
          <>
            <AuditTable events={data.events} />
            <div className={classes.tableFoot}>
              <Text size="sm" c="dimmed">
                {data.total} {data.total === 1 ? 'entry' : 'entries'}
              </Text>
              {data.pages > 1 && <Pages total={data.pages} page={list.page} onPage={list.setPage} />}
            </div>
          </>
        )}
      </div>
    </ConsolePage>
  )
}

function AuditTable({ events }: Pick<Response<typeof admin.audit>, 'events'>) {
  return (
    <div className={classes.scroller}>
      <Table aria-label="Audit trail" className={classes.cards}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Action</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>On</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th>Details</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={event.id}>
              <Table.Td data-label="When">{formatExactMoment(event.at)}</Table.Td>
              <Table.Td data-label="Action">{describeAction(event.action)}</Table.Td>
              <Table.Td data-label="Outcome">
                <Badge color={colors[event.outcome]} miw="max-content">
                  {outcomeLabels[event.outcome]}
                </Badge>
              </Table.Td>
              <Table.Td data-label="Who">{event.actor}</Table.Td>
              <Table.Td data-label="On">{event.target}</Table.Td>
              <Table.Td data-label="Address">{event.ip_address}</Table.Td>
              <Table.Td data-label="Details">{describeDetails(event.details)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
