import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import { claimJob, type JobChoice } from '#data/jobs/claim.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'

export interface Worker {
  /** Resolves when the worker has stopped: after `drain` aborted and the current job was released. */
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
  /** Interval between polls while something happens. */
  pollIntervalMs: number
}

/** Runs one job at a time, so that models do not share the device. At rest it polls only while a job waits that it did not take. */
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
      // The follower of this process handles the end of the job now.
      if (job) activity.wake()
      return job !== null
    } catch (error) {
      log.warn({ err: error }, 'a job could not be claimed or ended')
      return false
    }
  }

  return { stopped: work() }
}
