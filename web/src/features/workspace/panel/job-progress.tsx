import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { Job } from '#contract/entities/job.ts'
import { t } from '#contract/texts/t.ts'
import { useCancelJob } from '../../../shared/events/start-job.ts'
import { formatPercent, formatTimeLeft } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { usePermissions } from '../state/permissions.ts'

interface JobProgressProps {
  job: Job
  /** Shown until the first progress arrives. */
  initialText: string
}

/** The measured progress of a job: place in the queue, share done, and time left. */
export function JobProgress({ job, initialText }: JobProgressProps) {
  const cancel = useCancelJob()
  const { isOwner } = usePermissions()
  const { progress } = job
  const share = progress && progress.total_segments > 0 ? progress.current_segment / progress.total_segments : 0
  const detected = progress && 'detected_language' in progress ? progress.detected_language : null
  const probability = progress && 'language_probability' in progress ? progress.language_probability : null
  const secondsLeft = progress?.seconds_left
  return (
    <Stack gap="xs">
      <Group gap="0.25rem 1rem" justify="space-between">
        <Text size="sm" role="status">
          {statusText(job, initialText)}
        </Text>
        {isOwner && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            loading={cancel.isPending}
            onClick={() => cancel.mutate(job.id)}
          >
            {t('Cancel')}
          </Button>
        )}
      </Group>
      <Progress
        value={share * 100}
        size={6}
        aria-label={t('Progress')}
        animated={job.state === 'running' && !progress}
      />
      <Group gap="0.25rem 1rem" justify="space-between">
        <Text size="sm" c="dimmed">
          {progress ? progressText(progress, share) : ' '}
          {detected && ` · ${languageName(detected)}`}
          {probability !== null && ` ${formatPercent(probability)}`}
        </Text>
        {job.state === 'running' && secondsLeft !== undefined && share < 1 && (
          <TimeLeft key={progress?.current_segment} seconds={secondsLeft} />
        )}
      </Group>
    </Stack>
  )
}

function statusText({ state, queue_position: place, progress, attempt }: Job, initialText: string): string {
  if (state === 'queued')
    return place ? t('Waiting in the queue, place {place, number}', { place }) : t('Waiting in the queue')
  const text = progress ? t('Working') : initialText
  return attempt > 1 ? t('{text} (attempt {attempt, number})', { text, attempt }) : text
}

/** Whether the voices are being separated, which comes before the first part. */
function isSeparating(progress: Job['progress']): boolean {
  return progress !== null && 'stage' in progress && progress.stage === 'speakers'
}

function progressText(progress: NonNullable<Job['progress']>, share: number): string {
  if (isSeparating(progress)) return t('{share} · separating speakers', { share: formatPercent(share) })
  return t('{share} · part {currentSegment, number} of {totalSegments, number}', {
    share: formatPercent(share),
    currentSegment: progress.current_segment,
    totalSegments: progress.total_segments,
  })
}

/** Counts down from the engine's latest estimate. */
function TimeLeft({ seconds }: { seconds: number }) {
  const [elapsedSeconds, setElapsedSeconds] = useState(0)
  useEffect(() => {
    const startMs = performance.now()
    const timer = setInterval(() => setElapsedSeconds((performance.now() - startMs) / 1000), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text size="sm" c="dimmed">
      {t('about {time} left', { time: formatTimeLeft(Math.max(0, seconds - elapsedSeconds)) })}
    </Text>
  )
}
