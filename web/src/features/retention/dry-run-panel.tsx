import { Anchor, Box, Button, Select, Stack, Text } from '@mantine/core'
import IconCalendarTime from '@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { Response } from '#contract/endpoint.ts'
import type { retention } from '#contract/endpoints/retention.ts'
import type { DueRecording } from '#contract/retention.ts'
import { t } from '#contract/texts/t.ts'
import { formatClock, formatMegabytes, formatMoment } from '../../shared/format.ts'
import { ErrorNotice, LoadingNotice, Notice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { describeLoadError } from '../admin/use-admin.ts'
import { ListFoot } from '../admin/user-table.tsx'
import { HoldDialog } from '../holds/hold-dialog.tsx'
import { describeDays } from './describe-days.ts'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { dueRecordingsPerPage, useDryRun } from './use-retention.ts'
import common from '../../shared/ui/common.module.css'
import { type TableColumn, DataTable } from '../../shared/ui/data-table.tsx'

type DryRun = Response<typeof retention.dryRun>

const spans = [
  { value: '0', label: t('Now') },
  { value: '7', label: t('Within 7 days') },
  { value: '30', label: t('Within 30 days') },
  { value: '90', label: t('Within 90 days') },
  { value: '365', label: t('Within a year') },
]

/** Shows what will be deleted, when, and by which rule. Deletes nothing. */
export function DryRunPanel() {
  const [within, setWithin] = useState('30')
  const [page, setPage] = useState(1)
  const [held, setHeld] = useState<DueRecording | null>(null)
  const { data, error, isPending, refetch } = useDryRun({ within_days: within, page, per_page: dueRecordingsPerPage })
  const message = describeLoadError(error)
  function choose(value: string | null) {
    setWithin(value ?? '0')
    setPage(1)
  }
  return (
    <Panel
      title={t('What will be deleted')}
      isFlush
      actions={
        <Select
          aria-label={t('Until when')}
          w={176}
          data={spans}
          value={within}
          onChange={choose}
          allowDeselect={false}
        />
      }
    >
      {message && <ErrorNotice message={message} onRetry={() => void refetch()} />}
      {isPending && <LoadingNotice label={t('Counting what would be deleted')} />}
      {!message && data && (
        <>
          {data.total + data.texts + data.held > 0 && (
            <Box component="p" py={14} px={20} className={common.lineBelow} aria-live="polite">
              {summarize(data)}
            </Box>
          )}
          {data.total === 0 ? (
            <Notice title={t('No recording will be deleted')} icon={<IconCalendarTime size={22} stroke={1.5} />}>
              {t('None is due by {until}.', { until: formatMoment(data.until) })}
            </Notice>
          ) : (
            <>
              <DueTable recordings={data.recordings} onHold={setHeld} />
              <ListFoot
                count={t('{total, plural, one {# recording} other {# recordings}}', { total: data.total })}
                pages={data.pages}
                page={page}
                onPage={setPage}
              />
            </>
          )}
        </>
      )}
      <HoldDialog
        subject={held && { of: 'recording', id: held.id, name: '' }}
        known={{ holds: [], canHold: true }}
        onClose={() => setHeld(null)}
      />
    </Panel>
  )
}

function summarize({ total, total_size: size, texts, held, until }: DryRun): string {
  const values = { total, size: formatMegabytes(size), until: formatMoment(until) }
  const due =
    texts > 0
      ? t(
          '{total, plural, one {# recording} other {# recordings}} ({size}) and {texts, plural, one {# text} other {# texts}} without a recording by {until}.',
          { ...values, texts },
        )
      : t('{total, plural, one {# recording} other {# recordings}} ({size}) by {until}.', values)
  if (held === 0) return due
  const stays = t(
    '{held, plural, one {# recording more would go, and stays} other {# recordings more would go, and stay}} on legal hold.',
    { held },
  )
  return `${due} ${stays}`
}

function DueTable({ recordings, onHold }: { recordings: DueRecording[]; onHold: (recording: DueRecording) => void }) {
  const columns: TableColumn<DueRecording>[] = [
    { title: t('Goes'), kind: 'subject', render: describeDue },
    {
      title: t('Owner'),
      render: ({ owner }) => (
        <Stack component="span" gap={0} miw={0} className={common.wrap}>
          <Isolated>{owner.name}</Isolated>
          <Text span inherit c="dimmed" fz="sm">
            {owner.email}
          </Text>
        </Stack>
      ),
    },
    { title: t('Uploaded'), render: (recording) => formatMoment(recording.uploaded_at) },
    { title: t('Length'), render: ({ duration }) => formatClock(duration) },
    {
      title: t('Rule'),
      render: (recording) => (
        <span>
          {describeDays(recording.days)}, <Rule recording={recording} />
        </span>
      ),
    },
    {
      title: t('Actions'),
      kind: 'actions',
      render: (recording) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('Hold the recording of {name}, uploaded {uploadedAt}', {
            name: recording.owner.name,
            uploadedAt: formatMoment(recording.uploaded_at),
          })}
          onClick={() => onHold(recording)}
        >
          {t('Hold…')}
        </Button>
      ),
    },
  ]
  return (
    <DataTable
      label={t('Recordings that will be deleted')}
      columns={columns}
      rows={recordings}
      keyOf={({ id }) => id}
    />
  )
}

function Rule({ recording: { rule, case: ruling } }: { recording: DueRecording }) {
  if (rule === 'case' && ruling) {
    return (
      <Anchor component={Link} inherit to={`/cases?case=${ruling.id}`}>
        <Isolated>{ruling.name}</Isolated>
      </Anchor>
    )
  }
  return rule === 'role' ? t('role of the owner') : t('setting')
}

function describeDue({ due_at: dueAt }: DueRecording): string {
  return Date.parse(dueAt) <= Date.now() ? t('Within the hour') : formatMoment(dueAt)
}
