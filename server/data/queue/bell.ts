import { MongoBackend } from '@agendajs/mongo-backend'
import { Agenda } from 'agenda'
import type { Connection } from 'mongoose'

const bellName = 'work'
const pollMs = 500

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
  /** As Agenda reads it, such as `5 seconds`. */
  every: string
  run: () => Promise<unknown>
}

/** Opens the bell of a connection that is up. `onError` hears of failures of Agenda itself, such as a database away. */
export function openBell(connection: Connection, onError: (error: Error) => void): Bell {
  const agenda = openAgenda(connection, onError)
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
      for (const task of tasks) await agenda.every(task.every, task.name)
    },
    async close() {
      // The error listener stays: a poll that fails late, the database being gone, must not end the process.
      await agenda.stop(false)
    },
  }
}

function openAgenda(connection: Connection, onError: (error: Error) => void): Agenda {
  if (!connection.db) throw new Error('The database connection is closed')
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: connection.db }),
    processEvery: pollMs,
    defaultLockLifetime: 60_000,
  })
  agenda.on('error', onError)
  return agenda
}
