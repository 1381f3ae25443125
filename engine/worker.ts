import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { claimJob, type JobChoice } from '#data/jobs/claim.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'

export interface Worker {
  /** Looks for work now instead of at the end of its rest. */
  wake: () => void
  /** Resolves when the worker has stopped: after `drain` aborted and the job at hand was given back. */
  stopped: Promise<void>
}

interface WorkerOptions {
  queue: Queue
  engineId: string
  /** Which jobs this engine takes. */
  choice?: JobChoice
  run: (job: LeasedJob) => Promise<void>
  drain: AbortSignal
  log: Logger
  /** Longest rest between two looks, for bells that rang elsewhere. */
  restMs: () => number
}

/** Takes one job after the other, one at a time: the models have the device to themselves. */
export function startWorker({ queue, engineId, choice, run, drain, log, restMs }: WorkerOptions): Worker {
  let alarm = new AbortController()

  async function work() {
    while (!drain.aborted) {
      alarm = new AbortController()
      if (!(await workOnce())) await rest()
    }
  }

  /** Whether there was something to do. A database that is away is asked again after a rest. */
  async function workOnce(): Promise<boolean> {
    try {
      const job = await claimJob(queue, engineId, choice)
      if (job) await run(job)
      return job !== null
    } catch (error) {
      log.warn({ err: error }, 'work could not be taken or ended')
      return false
    }
  }

  async function rest() {
    const signal = AbortSignal.any([alarm.signal, drain])
    await sleep(restMs(), undefined, { signal }).catch(() => undefined)
  }

  return { wake: () => alarm.abort(), stopped: work() }
}
