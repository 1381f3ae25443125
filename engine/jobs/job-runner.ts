import { mkdir, rm } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { isCausedByUnavailableDatabase } from '#data/database-errors.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import {
  completeJob,
  failAttempt,
  isLeaseHeld,
  type LeasedJob,
  releaseJob,
  removeCheckpointsOfEndedJob,
  renewLease,
} from '#data/jobs/lease.ts'
import { assertReadable } from '#data/jobs/packed-result.ts'
import { retryWhileUnavailable } from '#data/retry-while-unavailable.ts'
import { withLogContext } from '#data/log/log-context.ts'
import { ChildDied } from '#engine/child/child-error.ts'
import { ModelChangedError } from '#engine/models/pin-model.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { attemptFolder } from '../leftovers.ts'
import { handleDiarize } from './diarize.ts'
import type { EngineModels } from './engine-models.ts'
import type { JobContext, JobOutcome, JobTask } from './job-task.ts'
import { observeModels } from './observe-models.ts'
import { createReporter } from './reporter.ts'
import { handleTranscribe } from './transcribe.ts'
import { handleTranslate } from './translate.ts'
import { countsOfFinishedJob, recordCounts } from './work-counts.ts'

/** Interval at which a running job is checked between renewals: a cancelled job stops within two seconds. */
const checkIntervalMs = 1000

/**
 * Renews a job's lease every `renewMs` until the returned function is called. Calls `onLost` once if the lease is lost. While the database
 * cannot be reached, this is unknown: the job continues, and each of its writes depends on the lease.
 */
function renewPeriodically(queue: Queue, job: LeasedJob, onLost: () => void): () => void {
  let isRenewing = false
  let isChecking = false
  let isStopped = false

  async function renew() {
    if (isRenewing) return
    isRenewing = true
    const isHeld = await renewLease(queue, job).catch(() => undefined)
    isRenewing = false
    if (isHeld === false) lose()
  }

  async function check() {
    if (isChecking) return
    isChecking = true
    const isHeld = await isLeaseHeld(queue, job).catch(() => undefined)
    isChecking = false
    if (isHeld === false) lose()
  }

  function stop() {
    isStopped = true
    clearInterval(renewTimer)
    clearInterval(checkTimer)
  }

  function lose() {
    if (isStopped) return
    stop()
    onLost()
  }

  const renewTimer = setInterval(() => void renew(), queue.limits.renewMs)
  const checkTimer = setInterval(() => void check(), checkIntervalMs)
  return stop
}

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

/** Maximum number of restarts of a job after a model is replaced: a file that keeps changing is still being written. */
const maxRestarts = 3

export interface RunnerContext extends Omit<JobContext, 'models'> {
  /** Returns the current models. */
  refreshModels: () => Promise<EngineModels>
}

/**
 * Runs an attempt at a job to its end, or until `drain` aborts, which releases the job. Renews the lease while it runs; a job that was
 * cancelled, deleted or taken over is dropped silently. While the database cannot be reached, it waits, and an attempt that ends for
 * this reason does not count. Throws only if the database is unreachable when `drain` aborts.
 */
export async function runJob(context: RunnerContext, job: LeasedJob, drain: AbortSignal): Promise<void> {
  const { id: jobId, kind, attempt } = job
  await withLogContext({ jobId, kind, attempt }, () => runAttempt(context, job, drain))
}

async function runAttempt(context: RunnerContext, job: LeasedJob, drain: AbortSignal): Promise<void> {
  const { log } = context
  const models = observeModels(context.loaded, log)
  const lost = new AbortController()
  const onLost = () => lost.abort()
  const signal = AbortSignal.any([drain, lost.signal])
  const stopRenewing = renewPeriodically(context.queue, job, onLost)
  const workDir = attemptFolder(context.tempDir, job)
  const startedAt = performance.now()
  log.info('job began')
  try {
    await mkdir(workDir, { recursive: true, mode: 0o700 })
    const report = createReporter(context.queue, job, onLost)
    const task = { job, workDir, report, signal }
    const outcome = await handleWithModels({ ...context, loaded: models.loaded }, task)
    assertReadable(job.kind, outcome.result)
    await report.settled()
    const isDone = await retryWhileUnavailable(
      () => completeJob(context.queue, job, { ...outcome, models: models.usedIds() }),
      signal,
    )
    const workMs = performance.now() - startedAt
    log.info({ ms: Math.round(workMs) }, isDone ? 'job done' : 'job lost its lease at its end')
    if (isDone)
      await recordCounts(context.queue.connection, countsOfFinishedJob({ kind: job.kind, outcome, workMs }), log)
  } catch (error) {
    if (lost.signal.aborted) {
      log.info('job was cancelled or lost its lease')
      await retryWhileUnavailable(() => removeCheckpointsOfEndedJob(context.queue, job), drain)
    } else if (drain.aborted) await releaseJob(context.queue, job)
    else await endAttempt(context, { job, signal, models: models.usedIds() }, error)
  } finally {
    stopRenewing()
    await rm(workDir, { recursive: true, force: true })
  }
}

/**
 * Runs the job with the current models. If one is replaced while it runs, the job starts over with the new one and reuses only the
 * checkpoints of other models: no text mixes weights.
 */
async function handleWithModels(
  { refreshModels, ...context }: RunnerContext,
  task: Omit<JobTask, 'params'>,
): Promise<JobOutcome> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await handle({ ...context, models: await refreshModels() }, task)
    } catch (error) {
      if (!(error instanceof ModelChangedError) || restarts === maxRestarts) throw error
      context.log.warn(`${error.message} The job starts over.`)
    }
  }
}

async function handle(context: JobContext, task: Omit<JobTask, 'params'>): Promise<JobOutcome> {
  const params = JobParams.parse(task.job.params)
  if (params.kind === 'transcribe') return handleTranscribe(context, { ...task, params })
  if (params.kind === 'translate') return handleTranslate(context, { ...task, params })
  return handleDiarize(context, { ...task, params })
}

async function endAttempt(
  { queue, log }: RunnerContext,
  { job, signal, models }: { job: LeasedJob; signal: AbortSignal; models: string[] },
  error: unknown,
) {
  if (isCausedByUnavailableDatabase(error)) {
    log.info('the attempt does not count: the database could not be reached')
    await retryWhileUnavailable(() => releaseJob(queue, job), signal)
    return
  }
  const failure = error instanceof AppError && error.code !== 'job_cancelled' ? error : unexpectedError(error)
  const isFinal = finalCodes.includes(failure.code)
  log.warn({ err: error, isFinal }, 'attempt failed')
  await retryWhileUnavailable(
    () => failAttempt(queue, job, failure, { isFinal, models, cause: nameCause(error) }),
    signal,
  )
  const labels = { kind: job.kind, code: failure.code }
  await recordCounts(queue.connection, [{ name: 'failed_attempts', labels, by: 1 }], log)
}

/**
 * Returns the name and code of the cause of a failure, such as `ChildDied SIGKILL` or `Error ENOSPC`, without its message, which may hold
 * content; undefined if the code of the failure itself names the cause.
 */
function nameCause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof ChildDied) return `${error.name} ${error.signal ?? error.exitCode}`
  if (error instanceof AppError) return nameCause(error.cause)
  return 'code' in error ? `${error.name} ${String(error.code)}` : error.name
}

function unexpectedError(cause: unknown): AppError {
  return new AppError('job_failed', 'The work failed because of a fault of this system.', {
    help: 'Try again. If it happens again, tell your administrator.',
    cause,
  })
}
