import { Group, Text } from '@mantine/core'
import IconWaveSine from '@tabler/icons-react/dist/esm/icons/IconWaveSine.mjs'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { CaseDetails } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { Pages } from '../admin/user-table.tsx'
import classes from './case-recordings.module.css'
import { CaseRecordingRow } from './case-recording-row.tsx'
import { useCaseRecordings } from './use-cases.ts'
import common from '../../shared/ui/common.module.css'

/** The recordings of a case, added last first; an admin who is not a member reads why there are none. */
export function CaseRecordings({ shown }: { shown: CaseDetails }) {
  return (
    <Panel
      title={t('Recordings')}
      icon={<IconWaveSine size={20} stroke={1.5} aria-hidden />}
      note={
        <Text span size="sm" c="dimmed">
          {formatNumber(shown.recording_count)}
        </Text>
      }
      isFlush
    >
      {shown.role === null ? (
        <p className={classes.empty}>
          {t(
            'You manage this case as an admin. Its recordings and notes are for its members: ask the owner to add you.',
          )}
        </p>
      ) : (
        <Recordings shown={shown} />
      )}
    </Panel>
  )
}

function Recordings({ shown }: { shown: CaseDetails }) {
  const [page, setPage] = useState(1)
  const { data, isError, refetch } = useCaseRecordings(shown.id, page)
  if (!data && isError)
    return <ErrorNotice message={t('The recordings could not be loaded.')} onRetry={() => void refetch()} />
  if (!data) return <LoadingNotice label={t('Loading the recordings')} />
  if (data.total === 0) return <NoRecordings canAdd={shown.role !== 'view'} />
  return (
    <>
      <ul aria-label={t('Recordings')}>
        {data.recordings.map((row) => (
          <CaseRecordingRow key={row.recording.id} row={row} shown={shown} />
        ))}
      </ul>
      {data.pages > 1 && (
        <Group gap={0} align="stretch" justify="center" wrap="nowrap" p="sm" className={common.lineAbove}>
          <Pages total={data.pages} page={page} onPage={setPage} />
        </Group>
      )}
    </>
  )
}

function NoRecordings({ canAdd }: { canAdd: boolean }) {
  if (!canAdd) return <p className={classes.empty}>{t('No recordings yet. Members who can correct add theirs.')}</p>
  return (
    <p className={classes.empty}>
      {rich('No recordings yet. Select yours in the <a>library</a>, then choose Add to case.', {
        a: linkToLibrary,
      })}
    </p>
  )
}

function linkToLibrary(children: ReactNode[]): ReactNode {
  return <Link to="/dashboard">{children}</Link>
}
