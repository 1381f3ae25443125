import { t } from '#contract/texts/t.ts'
import { JobFailure } from '../panel/job-failure.tsx'
import { JobProgress } from '../panel/job-progress.tsx'
import classes from './job-strip.module.css'
import { useWork } from '../state/work-context.ts'

/** Progress of running jobs, and why the last one failed, above the conversation. */
export function JobStrip() {
  const { transcribe, translate, diarize, isBusy } = useWork()
  const kinds = [
    { work: transcribe, initialText: t('Initializing transcription...') },
    { work: translate, initialText: t('Initializing translation...') },
    { work: diarize, initialText: t('Initializing diarization...') },
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
