import { Alert, Button, Progress, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Job } from '#contract/entities/job.ts'
import { useCancelJob } from '../../../shared/events/start-job.ts'
import { formatPercent, formatSpan } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { DirectionalText } from '../../../shared/ui/directional-text.tsx'
import { partialLineLanguage, type SelectedLanguages } from '../languages/selected-languages.ts'
import { PartialLines } from '../transcription/partial-lines.tsx'
import type { Failure } from './use-panel-job.ts'
import classes from '../workspace.module.css'

interface JobProgressProps {
  job: Job
  /** What to say until the first progress arrives. */
  initialText: string
  /** Language of the text that arrives; what was detected wins. */
  language?: string | null
  /** Of a transcription: the languages it is heard in. */
  picked?: SelectedLanguages
}

/** True progress of work under way: place in the queue, share done, time left, and the text so far. */
export function JobProgress({ job, initialText, language = null, picked }: JobProgressProps) {
  const cancel = useCancelJob()
  const { progress } = job
  const share = progress && progress.total_segments > 0 ? progress.current_segment / progress.total_segments : 0
  const detected = progress && 'detected_language' in progress ? progress.detected_language : null
  const probability = progress && 'language_probability' in progress ? progress.language_probability : null
  return (
    <div className={classes.progress}>
      <div className={classes.progressLine}>
        <Text size="sm" role="status">
          {statusText(job, initialText)}
        </Text>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          loading={cancel.isPending}
          onClick={() => cancel.mutate(job.id)}
        >
          Cancel
        </Button>
      </div>
      <Progress value={share * 100} size={6} aria-label="Progress" animated={job.state === 'running' && !progress} />
      <div className={classes.progressLine}>
        <Text size="sm" c="dimmed">
          {progress ? progressText(progress, share) : ' '}
          {detected && ` · ${languageName(detected)}`}
          {probability !== null && ` ${formatPercent(probability)}`}
        </Text>
        <TimeLeft job={job} share={isSeparating(progress) ? 0 : share} />
      </div>
      {progress && <Partial progress={progress} language={detected ?? picked?.language ?? language} picked={picked} />}
    </div>
  )
}

interface PartialProps {
  progress: NonNullable<Job['progress']>
  language: string | null
  picked: SelectedLanguages | undefined
}

/** The text so far: line by line where the engine says so, else as a whole. */
function Partial({ progress, language, picked }: PartialProps) {
  if (picked && 'partial_segments' in progress && progress.partial_segments.length > 0) {
    return (
      <PartialLines
        lines={progress.partial_segments}
        latest={progress.latest_segment}
        languageOf={(line) => partialLineLanguage(line, picked) ?? (line.channel === undefined ? language : null)}
      />
    )
  }
  if (!progress.partial_text) return null
  return (
    <DirectionalText language={language} className={classes.partial}>
      {progress.partial_text}
    </DirectionalText>
  )
}

function statusText({ state, queue_position: place, progress, attempt }: Job, initialText: string): string {
  if (state === 'queued') return place ? `Waiting in the queue, place ${place}` : 'Waiting in the queue'
  const again = attempt > 1 ? ` (attempt ${attempt})` : ''
  return progress ? `Working${again}` : `${initialText}${again}`
}

/** Telling voices apart comes before the first part and says nothing of how long that takes. */
function isSeparating(progress: Job['progress']): boolean {
  return progress !== null && 'stage' in progress && progress.stage === 'speakers'
}

function progressText(progress: NonNullable<Job['progress']>, share: number): string {
  if (isSeparating(progress)) return `${formatPercent(share)} · separating speakers`
  return `${formatPercent(share)} · part ${progress.current_segment} of ${progress.total_segments}`
}

/** Estimated from the pace so far; says nothing before there is a pace. */
function TimeLeft({ job, share }: { job: Job; share: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  if (!job.started_at || share <= 0 || share >= 1) return null
  const elapsedSeconds = (now - new Date(job.started_at).getTime()) / 1000
  const left = (elapsedSeconds / share) * (1 - share)
  if (!Number.isFinite(left) || left < 0) return null
  return (
    <Text size="sm" c="dimmed">
      about {formatSpan(left)} left
    </Text>
  )
}

/** Why the last attempt failed and what can be done. */
export function JobFailure({ failure }: { failure: Failure }) {
  return (
    <Alert color="red" role="alert" mb="md">
      {failure.message}
      {failure.help && (
        <Text size="sm" mt={4}>
          {failure.help}
        </Text>
      )}
    </Alert>
  )
}
