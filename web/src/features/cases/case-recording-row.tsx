import { Box, Text } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Link } from 'react-router-dom'
import type { CaseDetails, CaseRecording } from '#contract/cases.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { toastUndo } from '../../shared/action-toast.tsx'
import { comma, formatAgo, formatClock, formatMoment } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import common from '../../shared/ui/common.module.css'
import { IconButton } from '../../shared/ui/icon-button.tsx'
import { HoldBadge } from '../holds/hold-badge.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { MetaLine } from '../../shared/ui/meta-line.tsx'
import { ReviewProgress } from '../../shared/ui/review-progress.tsx'
import { Waveform } from '../../shared/ui/waveform.tsx'
import classes from './case-recording-row.module.css'
import { useAddRecordings, useTakeOut } from './use-cases.ts'

/** A recording of a case: its name opens the desk. Its owner and the owner of the case take it out. */
export function CaseRecordingRow({ row, shown }: { row: CaseRecording; shown: CaseDetails }) {
  const { recording, owner, access, added_at: addedAt, progress } = row
  const takeOut = useTakeOut(shown.id)
  const add = useAddRecordings()
  const isOwn = access === 'owner'
  const { id, name, duration, languages, peaks } = recording

  function remove() {
    const onSuccess = () => {
      // Only its owner can add a recording again.
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
