import { MongoBackend } from '@agendajs/mongo-backend'
import { Agenda } from 'agenda'
import type { DatabaseConnection } from '../connect.ts'

/** Stored name of the task that wakes an engine. */
const wakeTaskName = 'work'
const pollMs = 500
const collectionName = 'agendaJobs'
/** Interval at which the schedule is compared with the clock. */
const clockCheckMs = 60_000

/**
 * Wakes engines and runs scheduled tasks, by Agenda. It decides when something is checked, never who holds a job: Agenda's locks are not
 * fenced and its handlers run at least once, so a handler only wakes somebody or does what may be done twice.
 */
export interface JobNotifier {
  /** Wakes one engine. Best effort: engines also poll every few seconds. */
  notify(): Promise<void>
  /** Calls `onNotify` in this process, and each task at its interval in one of all listening processes. */
  listen(onNotify: () => void, tasks?: ScheduledTask[]): Promise<void>
  close(): Promise<void>
}

export interface ScheduledTask {
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

/** Opens the notifier of an established connection. `onError` receives failures of Agenda itself, such as an unreachable database. */
export function openJobNotifier(
  connection: DatabaseConnection,
  onError: (error: Error) => void,
  { checkMs = clockCheckMs }: { checkMs?: number } = {},
): JobNotifier {
  const agenda = openAgenda(connection, onError)
  let clockCheck: NodeJS.Timeout | undefined
  return {
    async notify() {
      await agenda.ready
      await agenda.now(wakeTaskName)
    },
    async listen(onNotify, tasks = []) {
      await agenda.ready
      agenda.define(wakeTaskName, async () => onNotify(), { removeOnComplete: true })
      for (const task of tasks) agenda.define(task.name, async () => void (await task.run()), { concurrency: 1 })
      await agenda.start()
      for (const task of tasks) await agenda.every(task.everyMs, task.name)
      clockCheck = setInterval(() => {
        bringForward(connection, tasks).catch((error: unknown) => onError(toError(error)))
      }, checkMs)
    },
    async close() {
      clearInterval(clockCheck)
      // The error listener stays: a poll that fails late, without a database, must not end the process.
      await agenda.stop(false)
    },
  }
}

/**
 * Makes tasks due that are scheduled later than their interval allows. Agenda stores the next run by this host's clock: after the clock
 * was set back a day, nothing would be deleted for a day.
 */
async function bringForward(connection: DatabaseConnection, tasks: ScheduledTask[]): Promise<void> {
  const now = new Date()
  for (const { name, everyMs } of tasks) {
    const latest = new Date(now.getTime() + everyMs + clockCheckMs)
    await connection
      .collection(collectionName)
      .updateMany({ name, nextRunAt: { $gt: latest } }, { $set: { nextRunAt: now, lockedAt: null } })
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function openAgenda(connection: DatabaseConnection, onError: (error: Error) => void): Agenda {
  if (!connection.db) throw new Error('The database connection is closed')
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: connection.db, collection: collectionName }),
    processEvery: pollMs,
    defaultLockLifetime: 60_000,
  })
  agenda.on('error', onError)
  return agenda
}
