import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import {
  readFollowerPosition,
  releaseFollowerLease,
  saveFollowerPosition,
  takeFollowerLease,
} from '#data/followers/follower-lease.ts'

/** A maintenance task. It may run twice: a process that is held up for longer than its lease does not stop. */
export interface ScheduledTask {
  name: string
  /** Interval between runs, or between checks if `isDue` says whether the task is due. */
  everyMs: number
  /** Returns whether there is something to do, only by reading. Default: once per interval across all engines. */
  isDue?: () => Promise<boolean>
  run: () => Promise<unknown>
}

interface RunnerOptions {
  connection: DatabaseConnection
  /** Identifies this process among those that can run the tasks. */
  holder: string
  activity: Activity
  tasks: ScheduledTask[]
  drain: AbortSignal
  log: Logger
  /** Interval between checks. Default 1 min. */
  lookMs?: number
}

/** Maximum interval between checks whether a task is due, even if its own interval is longer: another engine may have run it. */
const maxLookMs = 30 * 60_000
/** A task that runs for longer than its 10 s lease renews it this often. */
const renewMs = 3_000

/**
 * Runs maintenance tasks, each in one engine at a time. While nothing is due, engines only read: the right to run a task is a lease, which
 * is taken only when the task is due. `stopped` resolves once `drain` has aborted and the running task has ended.
 */
export function startSchedule({ lookMs = 60_000, ...options }: RunnerOptions): { stopped: Promise<void> } {
  const { tasks, activity, drain, log } = options
  const lookedAtMs = new Map<string, number>()

  async function runDue(task: ScheduledTask): Promise<void> {
    const sinceMs = performance.now() - (lookedAtMs.get(task.name) ?? -Infinity)
    // Half a check interval early rather than a whole one late.
    if (sinceMs < Math.min(task.everyMs, maxLookMs) - lookMs / 2) return
    lookedAtMs.set(task.name, performance.now())
    const isDue = task.isDue ?? (() => hasIntervalPassed(options.connection, task))
    if (await isDue()) await runAlone(task, options)
  }

  async function run(): Promise<void> {
    while (!drain.aborted) {
      for (const task of tasks) {
        if (drain.aborted) break
        await runDue(task).catch((err: unknown) => log.warn({ err, task: task.name }, 'the schedule failed'))
      }
      await waitFor(lookMs)
    }
  }

  /** Waits for the whole time, because no event makes a task due earlier. */
  async function waitFor(ms: number): Promise<void> {
    const endMs = performance.now() + ms
    while (!drain.aborted && performance.now() < endMs) {
      const restMs = Math.max(1, endMs - performance.now())
      await activity.wait({ activeMs: restMs, restMs, signal: drain })
    }
  }

  return { stopped: run() }
}

const leaseName = ({ name }: ScheduledTask) => `schedule ${name}`

/** Returns whether a task ran long enough ago, by the database's clock. A run in the future took place before the clock was set back. */
async function hasIntervalPassed(connection: DatabaseConnection, task: ScheduledTask): Promise<boolean> {
  const ranAtMs = await readFollowerPosition(connection, leaseName(task))
  const nowMs = (await readDatabaseTime(connection)).getTime()
  return ranAtMs > nowMs || nowMs - ranAtMs >= task.everyMs
}

/** Runs a task unless another engine runs it. */
async function runAlone(task: ScheduledTask, { connection, holder }: RunnerOptions): Promise<void> {
  const key = { name: leaseName(task), holder }
  if (!(await takeFollowerLease(connection, key))) return
  const renewal = setInterval(() => void takeFollowerLease(connection, key).catch(() => undefined), renewMs)
  try {
    // Another engine may have run it between the check and the lease.
    if (!task.isDue && !(await hasIntervalPassed(connection, task))) return
    if (!task.isDue) await saveFollowerPosition(connection, key, (await readDatabaseTime(connection)).getTime())
    await task.run()
  } finally {
    clearInterval(renewal)
    await releaseFollowerLease(connection, key)
  }
}
