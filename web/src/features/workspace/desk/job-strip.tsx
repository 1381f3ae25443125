import { JobFailure } from '../panel/job-failure.tsx'
import { JobProgress } from '../panel/job-progress.tsx'
import classes from './job-strip.module.css'
import { useWork } from './work-context.ts'

/** Progress of running jobs, and why the last one failed, above the conversation. */
export function JobStrip() {
  const { transcribe, translate, diarize, isBusy } = useWork()
  const kinds = [
    { work: transcribe, initialText: 'Initializing transcription...' },
    { work: translate, initialText: 'Initializing translation...' },
    { work: diarize, initialText: 'Initializing diarization...' },
  ]
  const hasFailure = kinds.some(({ work }) => work.failure && !work.job)
  if (!isBusy && !hasFailure) return null
  return (
    <div className={classes.strip}>
      {kinds.map(({ work, initialText }) => (
        <div key={initialText} className={classes.kind}>
          {work.job && <JobProgress job={work.job} initialText={initialText} />}
          {work.failure && !work.job && <JobFailure failure={work.failure} />}
        </div>
      ))}
    </div>
  )
}
