import { Group, Text, Box } from '@mantine/core'
import IconWaveSine from '@tabler/icons-react/dist/esm/icons/IconWaveSine.mjs'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { CaseDetails, CaseRecording } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { formatNumber, comma, formatAgo, formatClock, formatMoment } from '../../shared/format.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import common from '../../shared/ui/common.module.css'
import { toastUndo } from '../../shared/action-toast.tsx'
import { languageName } from '../../shared/recordings/languages.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { MetaLine } from '../../shared/ui/meta-line.tsx'
import { ReviewProgress } from '../../shared/ui/review-progress.tsx'
import { Waveform } from '../../shared/ui/waveform.tsx'
import { Pages } from '../admin/user-table.tsx'
import { HoldBadge } from '../holds/hold-badge.tsx'
import classes from './case-recordings.module.css'
import { useCaseRecordings, useAddRecordings, useTakeOut } from './use-cases.ts'

/** The recordings of a case, latest added first; an admin who is not a member is told why none are shown. */
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

/** A recording in a case; its name opens the desk. Its owner and the owner of the case can take it out. */
export function CaseRecordingRow({ row, shown }: { row: CaseRecording; shown: CaseDetails }) {
  const { recording, owner, access, added_at: addedAt, progress } = row
  const takeOut = useTakeOut(shown.id)
  const add = useAddRecordings()
  const isOwn = access === 'owner'
  const { id, name, duration, languages, peaks } = recording

  function remove() {
    const onSuccess = () => {
      // Only the owner of a recording can add it again.
      if (!isOwn) return toastSuccess(t('Recording taken out of the case'))
      toastUndo(t('Recording taken out of the case'), () => add.mutate({ id: shown.id, selection: { ids: [id] } }))
    }
    takeOut.mutate(id, { onSuccess })
  }

  return (
    <li className={classes.row}>
      <span className={classes.wave} aria-hidden>
        <Waveform peaks={peaks} />
      </span>
      <Box flex={1} miw={0}>
        <Text
          component={Link}
          inherit
          truncate
          fw={560}
          to={`/transcribe?recording=${id}`}
          display="block"
          title={isolateName(name)}
          className={common.cover}
        >
          <Isolated isCut>{name}</Isolated>
        </Text>
        <MetaLine>
          <span>{formatClock(duration)}</span>
          <span>{describeState(recording)}</span>
          {languages.length > 0 && <span>{languages.map(languageName).join(comma)}</span>}
          <span>{isOwn ? t('yours') : <Isolated>{owner.name}</Isolated>}</span>
          {recording.is_held && (
            <span>
              <HoldBadge />
            </span>
          )}
          {isRead(progress) && (
            <span>
              <ReviewProgress progress={progress} hasFigures />
            </span>
          )}
        </MetaLine>
      </Box>
      <time className={classes.added} dateTime={addedAt} title={t('Added {moment}', { moment: formatMoment(addedAt) })}>
        {formatAgo(addedAt)}
      </time>
      {(isOwn || shown.role === 'owner') && !shown.is_held && (
        <span className={classes.action}>
          <IconButton
            label={t('Take {name} out of the case', { name: isolateName(name) })}
            loading={takeOut.isPending}
            onClick={remove}
          >
            <IconX size={16} stroke={1.5} />
          </IconButton>
        </span>
      )}
    </li>
  )
}

function isRead({ heard, verified }: CaseRecording['progress']): boolean {
  return heard > 0 || verified > 0
}

function describeState({ job, transcription_id: transcriptionId }: CaseRecording['recording']): string {
  if (job) return job.state === 'queued' ? t('waiting') : t('in work')
  return transcriptionId === null ? t('not transcribed') : t('transcribed')
}
