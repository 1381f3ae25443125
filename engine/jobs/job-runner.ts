import { mkdir, rm } from 'node:fs/promises'
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { completeJob, failAttempt, releaseJob, type LeasedJob } from '#data/jobs/lease.ts'
import { assertReadable } from '#data/jobs/results.ts'
import { ModelChangedError } from '#engine/models/pin-model.ts'
import { attemptFolder } from '../leftovers.ts'
import { handleDiarize } from './diarize.ts'
import type { EngineModels } from './engine-models.ts'
import type { JobOutcome, JobTask, JobTools } from './job-task.ts'
import { renewPeriodically } from './renew-lease.ts'
import { createReporter } from './reporter.ts'
import { handleTranscribe } from './transcribe.ts'
import { handleTranslate } from './translate.ts'

/** Failures that another attempt would repeat. */
const finalCodes: readonly ErrorCode[] = [
  'unreadable_audio',
  'no_audio',
  'unsupported_audio',
  'unsupported_language',
  'unsupported_pair',
  'model_unavailable',
  'not_found',
  'disk_full',
]

/** Restarts of a job because a model was replaced: one that keeps changing is being written to. */
const maxRestarts = 3

export interface RunnerTools extends Omit<JobTools, 'models'> {
  /** Returns the models as they are now. */
  refreshModels: () => Promise<EngineModels>
}

/**
 * Runs an attempt at a job to its end, or until `drain` aborts, which releases the job. Renews the lease meanwhile; a job that was
 * cancelled, deleted or taken over is dropped without a trace. Throws only when the database is unreachable.
 */
export async function runJob(tools: RunnerTools, job: LeasedJob, drain: AbortSignal): Promise<void> {
  const log = tools.log.child({ jobId: job.id, kind: job.kind, attempt: job.attempt })
  const lost = new AbortController()
  const onLost = () => lost.abort()
  const stopRenewing = renewPeriodically(tools.queue, job, onLost)
  const workDir = attemptFolder(tools.tempDir, job)
  log.info('job began')
  try {
    await mkdir(workDir, { recursive: true, mode: 0o700 })
    const report = createReporter(tools.queue, job, onLost)
    const task = { job, workDir, report, signal: AbortSignal.any([drain, lost.signal]) }
    const outcome = await handleWithModels(tools, task, log)
    assertReadable(job.kind, outcome.result)
    await report.settled()
    const isDone = await completeJob(tools.queue, job, outcome)
    log.info(isDone ? 'job done' : 'job lost its lease at its end')
  } catch (error) {
    if (lost.signal.aborted) log.info('job was cancelled or lost its lease')
    else if (drain.aborted) await releaseJob(tools.queue, job)
    else await endAttempt(tools, job, error, log)
  } finally {
    stopRenewing()
    await rm(workDir, { recursive: true, force: true })
  }
}

/**
 * Runs the job with the models as they are now. Where one is replaced meanwhile the job starts over with the new one, reusing only the
 * checkpoints of other models: a text never mixes weights.
 */
async function handleWithModels(
  { refreshModels, ...tools }: RunnerTools,
  task: Omit<JobTask, 'params'>,
  log: Logger,
): Promise<JobOutcome> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await handle({ ...tools, models: await refreshModels() }, task)
    } catch (error) {
      if (!(error instanceof ModelChangedError) || restarts === maxRestarts) throw error
      log.warn(`${error.message} The job starts over.`)
    }
  }
}

async function handle(tools: JobTools, task: Omit<JobTask, 'params'>): Promise<JobOutcome> {
  const params = JobParams.parse(task.job.params)
  if (params.kind === 'transcribe') return handleTranscribe(tools, { ...task, params })
  if (params.kind === 'translate') return handleTranslate(tools, { ...task, params })
  return handleDiarize(tools, { ...task, params })
}

async function endAttempt({ queue }: RunnerTools, job: LeasedJob, error: unknown, log: Logger) {
  const failure = error instanceof AppError && error.code !== 'job_cancelled' ? error : unexpectedError(error)
  const isFinal = finalCodes.includes(failure.code)
  log.warn({ err: error, isFinal }, 'attempt failed')
  await failAttempt(queue, job, failure, { isFinal })
}

function unexpectedError(cause: unknown): AppError {
  return new AppError('job_failed', 'The work failed because of a fault of this system.', {
    help: 'Try again. If it happens again, tell your administrator.',
    cause,
  })
}
