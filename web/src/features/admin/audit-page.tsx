import { Badge, Button, ScrollArea, Select, Table, Text } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { admin } from '#contract/endpoints/admin.ts'
import type { Response } from '#contract/endpoint.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call, callForFile } from '../../shared/api/client.ts'
import { downloadFile } from '../../shared/download.ts'
import { formatMoment } from '../../shared/format.ts'
import { isAdmin, useUser } from '../../shared/session/session.ts'
import { toastError } from '../../shared/toast.tsx'
import { AccessDenied, ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { Page } from '../../shared/ui/page.tsx'
import classes from './admin.module.css'
import { ListTools } from './list-tools.tsx'
import { useListState } from './use-list-state.ts'
import { Pages } from './user-table.tsx'

/** Rows a page of the audit trail. */
const perPage = 25
const outcomes = ['success', 'failure', 'denied'] as const
const colors = { success: 'green', failure: 'red', denied: 'amber' } as const

/** Who did what when: searched, filtered, and as CSV. */
export function AuditPage() {
  if (!isAdmin(useUser())) return <AccessDenied>You need admin privileges to access this page.</AccessDenied>
  return <AuditPanel />
}

function AuditPanel() {
  const list = useListState()
  const [outcome, setOutcome] = useState<(typeof outcomes)[number] | ''>('')
  const query = { page: list.page, per_page: perPage, search: list.search, outcome }
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: ['audit', query],
    queryFn: () => call(admin.audit, { query }),
    placeholderData: keepPreviousData,
  })

  async function download() {
    try {
      const file = await callForFile(admin.auditCsv, { query: { search: list.search, outcome } })
      downloadFile('awaz-audit.csv', file)
    } catch (error) {
      toastError(messageOf(error, 'Network error. Please try again.'))
    }
  }

  return (
    <Page
      title="Audit Trail"
      width="wide"
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
            w={150}
            aria-label="Outcome"
            data={[{ value: 'any', label: 'Any outcome' }, ...outcomes]}
            value={outcome || 'any'}
            onChange={(value) => {
              setOutcome(outcomes.find((known) => known === value) ?? '')
              list.setPage(1)
            }}
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
    </Page>
  )
}

function AuditTable({ events }: Pick<Response<typeof admin.audit>, 'events'>) {
  return (
    <ScrollArea>
      <Table miw={900} aria-label="Audit trail">
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
              <Table.Td>{formatMoment(event.at)}</Table.Td>
              <Table.Td>{event.action}</Table.Td>
              <Table.Td>
                <Badge color={colors[event.outcome]}>{event.outcome}</Badge>
              </Table.Td>
              <Table.Td>{event.actor}</Table.Td>
              <Table.Td>{event.target}</Table.Td>
              <Table.Td>{event.ip_address}</Table.Td>
              <Table.Td>{event.details}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}
