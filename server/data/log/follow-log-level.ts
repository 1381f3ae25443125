import { hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import type { Activity } from '../activity.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { answerLogLevelRequest, readLogLevelRequest, type LogLevelRequest } from './log-level-requests.ts'
import type { LogLevel } from './log-settings.ts'
import { logsAtLeast, type ProcessLog } from './process-log.ts'

const checkEndMs = 1_000

interface FollowerOptions {
  processLog: ProcessLog
  service: 'server' | 'engine'
  /** The level set by LOG_LEVEL. */
  usual: LogLevel
  clock: Clock
}

/** Applies each requested level and answers each request, until the process ends. */
export function followLogLevel(activity: Activity, connection: DatabaseConnection, options: FollowerOptions): void {
  const { poll, endIfOver } = createLogLevelFollower(options)
  activity.onChange(() => void poll(connection).catch(() => undefined)) // the next change makes up for it
  setInterval(endIfOver, checkEndMs).unref()
}

/**
 * Returns `poll`, which reads the requested level, applies it and answers the request, and `endIfOver`, to be called every second: a
 * requested level ends by this process's clock, even while the database is unreachable.
 */
export function createLogLevelFollower({ processLog, service, usual, clock }: FollowerOptions) {
  let changeId: string | null = null
  let requestId: string | undefined
  let endsAtMs: number | undefined
  let isFirst = true

  function setLevel(level: LogLevel): void {
    const before = processLog.level()
    if (level === before) return
    const announce = () => processLog.log.info({ from: before, to: level }, 'the log level was changed')
    // Logged while the more verbose of the two levels is in effect.
    if (!logsAtLeast(level, before)) announce()
    processLog.setLevel(level)
    if (logsAtLeast(level, before)) announce()
  }

  function goBack(): void {
    endsAtMs = undefined
    setLevel(usual)
  }

  async function takeOver(connection: DatabaseConnection, { level, until }: LogLevelRequest): Promise<void> {
    // The clocks of hosts differ: the remaining time is measured by the database's clock.
    const leftMs = until ? until.getTime() - (await readDatabaseTime(connection)).getTime() : 0
    if (level === null || leftMs <= 0) return goBack()
    endsAtMs = clock.now() + leftMs
    setLevel(level)
  }

  function endIfOver(): void {
    if (endsAtMs !== undefined && clock.now() >= endsAtMs) goBack()
  }

  async function poll(connection: DatabaseConnection): Promise<void> {
    endIfOver()
    const request = await readLogLevelRequest(connection)
    // No one waits for answers to requests from before this process started.
    if (isFirst) requestId = request?.requestId
    isFirst = false
    if (!request) return
    if (request.changeId !== changeId) {
      await takeOver(connection, request)
      changeId = request.changeId
    }
    if (request.requestId === requestId) return
    requestId = request.requestId
    await answerLogLevelRequest(connection, request.requestId, {
      service,
      host: hostname(),
      pid: process.pid,
      level: processLog.level(),
      endsAt: endsAtMs === undefined ? null : new Date(endsAtMs),
    })
  }

  return { poll, endIfOver }
}
