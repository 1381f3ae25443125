import { MongoBackend } from '@agendajs/mongo-backend'
import { Agenda } from 'agenda'
import type { Connection } from 'mongoose'

const bellName = 'work'
const pollMs = 500
const collectionName = 'agendaJobs'
/** How often the schedule is compared with the clock. */
const clockCheckMs = 60_000

/**
 * Agenda as schedule and bell. It decides when something is looked at, never who holds a job: its locks are not fenced and its
 * handlers run at least once, so a handler here only wakes somebody or does what may be done twice.
 */
export interface Bell {
  /** Wakes one engine. Best effort: engines also look by themselves every few seconds. */
  ring(): Promise<void>
  /** Calls `onRing` in this process, and each task at its interval in one of all listening processes. */
  listen(onRing: () => void, tasks?: ScheduledTask[]): Promise<void>
  close(): Promise<void>
}

export interface ScheduledTask {
  name: string
  everyMs: number
  run: () => Promise<unknown>
}

/** Opens the bell of a connection that is up. `onError` hears of failures of Agenda itself, such as a database away. */
export function openBell(
  connection: Connection,
  onError: (error: Error) => void,
  { checkMs = clockCheckMs }: { checkMs?: number } = {},
): Bell {
  const agenda = openAgenda(connection, onError)
  let clockCheck: NodeJS.Timeout | undefined
  return {
    async ring() {
      await agenda.ready
      await agenda.now(bellName)
    },
    async listen(onRing, tasks = []) {
      await agenda.ready
      agenda.define(bellName, async () => onRing(), { removeOnComplete: true })
      for (const task of tasks) agenda.define(task.name, async () => void (await task.run()), { concurrency: 1 })
      await agenda.start()
      for (const task of tasks) await agenda.every(task.everyMs, task.name)
      clockCheck = setInterval(() => {
        bringForward(connection, tasks).catch((error: unknown) => onError(toError(error)))
      }, checkMs)
    },
    async close() {
      clearInterval(clockCheck)
      // The error listener stays: a poll that fails late, the database being gone, must not end the process.
      await agenda.stop(false)
    },
  }
}

/**
 * Runs what is due later than its interval allows. Agenda notes when a task is next due by this host's clock: after the clock was set
 * back a day, nothing would be deleted for a day.
 */
async function bringForward(connection: Connection, tasks: ScheduledTask[]): Promise<void> {
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

function openAgenda(connection: Connection, onError: (error: Error) => void): Agenda {
  if (!connection.db) throw new Error('The database connection is closed')
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: connection.db, collection: collectionName }),
    processEvery: pollMs,
    defaultLockLifetime: 60_000,
  })
  agenda.on('error', onError)
  return agenda
}
