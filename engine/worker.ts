import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import { claimJob, type JobChoice } from '#data/jobs/claim.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'

export interface Worker {
  /** Resolves when the worker has stopped: once `drain` has aborted and the current job has been released. */
  stopped: Promise<void>
}

interface WorkerOptions {
  queue: Queue
  engineId: string
  activity: Activity
  /** Decides which jobs this engine claims. */
  choice?: JobChoice
  run: (job: LeasedJob) => Promise<void>
  drain: AbortSignal
  log: Logger
  /** Interval between polls while there is activity. */
  pollIntervalMs: number
}

/** Runs one job at a time, so that models do not share the device. At rest it polls only while a job that it did not take is waiting. */
export function startWorker(options: WorkerOptions): Worker {
  const { queue, engineId, activity, choice, run, drain, log, pollIntervalMs } = options
  const { canRun = () => true } = choice ?? {}
  /** Whether the last poll left something for the next one. */
  let isWaiting = false

  async function work() {
    while (!drain.aborted) {
      if (await workOnce()) continue
      const restMs = isWaiting ? { restMs: pollIntervalMs } : {}
      await activity.wait({ activeMs: pollIntervalMs, ...restMs, signal: drain })
    }
  }

  /** Returns whether there was a job. After an error, such as an unreachable database, the worker polls again later. */
  async function workOnce(): Promise<boolean> {
    isWaiting = true
    let isQueueEmpty = true
    try {
      const job = await claimJob(queue, engineId, {
        ...choice,
        canRun(waiting) {
          isQueueEmpty = false
          return canRun(waiting)
        },
      })
      isWaiting = !isQueueEmpty
      if (job) await run(job)
      // Lets the follower in this process handle the end of the job now.
      if (job) activity.wake()
      return job !== null
    } catch (error) {
      log.warn({ err: error }, 'a job could not be claimed or ended')
      return false
    }
  }

  return { stopped: work() }
}
