import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconClockHour4 from '@tabler/icons-react/dist/esm/icons/IconClockHour4.mjs'
import IconProgress from '@tabler/icons-react/dist/esm/icons/IconProgress.mjs'
import type { LibraryRecording, RecordingState } from '#contract/library.ts'
import { useRecordingJob } from '../../shared/events/jobs.ts'
import { formatPercent } from '../../shared/format.ts'
import { ReviewProgress } from '../../shared/ui/review-progress.tsx'
import { describeState } from './describe-recording.ts'
import classes from './state-cell.module.css'

const icons: Record<RecordingState, typeof IconProgress> = {
  running: IconProgress,
  waiting: IconClockHour4,
  failed: IconAlertTriangle,
  new: IconCircleDashed,
  done: IconCircleCheck,
}

/** The state of a recording, with the progress of its running job. */
export function StateCell({ recording }: { recording: LibraryRecording }) {
  const { state, label, share } = describeState(recording, useRecordingJob(recording.id))
  return (
    <span className={classes.state} data-state={state}>
      <StateIcon state={state} />
      <span className={classes.text}>
        <span className={classes.label}>
          {label}
          {share !== null && <span className={classes.share}> {formatPercent(share)}</span>}
        </span>
        {state === 'done' && <ReviewProgress progress={recording.progress} />}
        {state === 'running' && (
          <span className={classes.track} aria-hidden>
            <span className={classes.bar} style={{ inlineSize: `${Math.round((share ?? 0) * 100)}%` }} />
          </span>
        )}
      </span>
    </span>
  )
}

export function StateIcon({ state, size = 16 }: { state: RecordingState; size?: number }) {
  const Icon = icons[state]
  return <Icon size={size} stroke={1.5} className={classes.icon} aria-hidden />
}
