import { useEffect, useRef } from 'react'
import type { BodyInput, EndpointSpec } from '#contract/endpoint.ts'
import type { Job, JobKind } from '#contract/entities/job.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { ApiError, isSessionExpired } from '../../../shared/api/api-error.ts'
import { isActive, useJob } from '../../../shared/events/jobs.ts'
import { useStartJob } from '../../../shared/events/start-job.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { toastError } from '../../../shared/toast.tsx'
import type { Failure } from '../state/work-context.ts'

interface PanelJobOptions<E extends EndpointSpec> {
  recording: RecordingDetails
  kind: JobKind
  spec: E
  /** The toast shown on failure (audio-workflow specification, section 8). */
  failureToast: string
  /** Whether an error message with help replaces the toast, such as for diarization. */
  prefersHelp?: boolean
  /** False if another hook reports the outcome of the same kind of job. */
  isReported?: boolean
  onDone?: (() => void) | undefined
}

/** One kind of job for the recording on screen: how to start it, its progress, and why it failed. */
export function usePanelJob<E extends EndpointSpec>(options: PanelJobOptions<E>) {
  const { recording, kind, spec, failureToast, prefersHelp = false, isReported = true, onDone } = options
  const job = useJob(recording.id, kind, recording.job)
  const starting = useStartJob(spec)

  function showError(failure: Failure) {
    toastError(prefersHelp && failure.help ? `${failure.message} ${failure.help}` : failureToast)
  }

  useOutcome(job, {
    onDone,
    onFailed: (ended) =>
      isReported &&
      showError({
        message: ended.error ? translateSentence(ended.error.error) : failureToast,
        help: translateHelp(ended.error?.help),
      }),
  })

  function start(body: BodyInput<E>) {
    starting.mutate(body, {
      onError: (error) => {
        if (isSessionExpired(error)) return
        showError(describeError(error, failureToast))
      },
    })
  }

  const running = job && isActive(job) ? job : null
  const { error } = starting
  const startFailure = error && !isSessionExpired(error) ? describeError(error, failureToast) : undefined
  return { job: running, isStarting: starting.isPending, start, failure: startFailure ?? failureOf(job) }
}

function describeError(error: unknown, fallback: string): Failure {
  if (!(error instanceof ApiError)) return { message: fallback }
  return { message: error.message, help: error.help }
}

function failureOf(job: Job | null): Failure | undefined {
  if (job?.state !== 'failed' || !job.error) return undefined
  return { message: translateSentence(job.error.error), help: translateHelp(job.error.help) }
}

/** Calls a handler once when a job that was seen running ends. */
function useOutcome(job: Job | null, handlers: { onDone?: (() => void) | undefined; onFailed: (job: Job) => void }) {
  const watched = useRef<string>(undefined)
  useEffect(() => {
    if (!job) return
    if (isActive(job)) {
      watched.current = job.id
      return
    }
    if (watched.current !== job.id) return
    watched.current = undefined
    if (job.state === 'done') handlers.onDone?.()
    if (job.state === 'failed') handlers.onFailed(job)
  })
}

function translateHelp(help: string | undefined): string | undefined {
  return help === undefined ? undefined : translateSentence(help)
}
