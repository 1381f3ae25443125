import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { claimJob, type JobChoice } from '#data/jobs/claim.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'

export interface Worker {
  /** Polls now instead of at the end of the interval. */
  wake: () => void
  /** Resolves when the worker has stopped: after `drain` aborted and the current job was released. */
  stopped: Promise<void>
}

interface WorkerOptions {
  queue: Queue
  engineId: string
  /** Decides which jobs this engine claims. */
  choice?: JobChoice
  run: (job: LeasedJob) => Promise<void>
  drain: AbortSignal
  log: Logger
  /** Interval between polls, for notifications that reached another engine. */
  pollIntervalMs: () => number
}

/** Runs one job at a time, so that models do not share the device. */
export function startWorker({ queue, engineId, choice, run, drain, log, pollIntervalMs }: WorkerOptions): Worker {
  let wakeUp = new AbortController()

  async function work() {
    while (!drain.aborted) {
      wakeUp = new AbortController()
      if (!(await workOnce())) await waitForPoll()
    }
  }

  /** Returns whether there was a job. After an error, such as an unreachable database, the worker polls again later. */
  async function workOnce(): Promise<boolean> {
    try {
      const job = await claimJob(queue, engineId, choice)
      if (job) await run(job)
      return job !== null
    } catch (error) {
      log.warn({ err: error }, 'a job could not be claimed or ended')
      return false
    }
  }

  async function waitForPoll() {
    const signal = AbortSignal.any([wakeUp.signal, drain])
    await sleep(pollIntervalMs(), undefined, { signal }).catch(() => undefined)
  }

  return { wake: () => wakeUp.abort(), stopped: work() }
}
