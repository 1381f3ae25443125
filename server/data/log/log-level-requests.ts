import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { newId } from '../ids.ts'
import { logLevelModel, type LogLevelAnswer, type LogLevelDocument } from './log-level-model.ts'
import type { LogLevel } from './log-settings.ts'

export type { LogLevelAnswer }
export type LogLevelRequest = Pick<LogLevelDocument, 'changeId' | 'level' | 'until' | 'requestId'>

const id = { _id: 'current' } as const

/** Asks every running process for its level. Returns the id of the request. */
export async function requestLogLevels(connection: DatabaseConnection): Promise<string> {
  return write(connection, {})
}

/**
 * Asks every process, including any that start later, to log at a level for some time, or at its usual level where `level` is null.
 * Returns the id of the request and when it ends, by the database's clock.
 */
export async function changeLogLevel(
  connection: DatabaseConnection,
  { level, forMs }: { level: LogLevel | null; forMs: number },
): Promise<{ requestId: string; until: Date }> {
  const until = new Date((await readDatabaseTime(connection)).getTime() + forMs)
  const requestId = await write(connection, { changeId: newId(), level, until: level && until })
  return { requestId, until }
}

async function write(connection: DatabaseConnection, change: Partial<LogLevelDocument>): Promise<string> {
  const requestId = newId()
  await logLevelModel(connection).updateOne(id, { $set: { ...change, requestId, answers: [] } }, { upsert: true })
  await nextChange(connection)
  return requestId
}

/** Returns the last request; null where there has been none. */
export async function readLogLevelRequest(connection: DatabaseConnection): Promise<LogLevelRequest | null> {
  return logLevelModel(connection).findOne(id, { answers: 0 }).lean<LogLevelRequest>()
}

/** Adds the answer of a process, unless another request has been made since. */
export async function answerLogLevelRequest(
  connection: DatabaseConnection,
  requestId: string,
  answer: LogLevelAnswer,
): Promise<void> {
  await logLevelModel(connection).updateOne({ ...id, requestId }, { $push: { answers: answer } })
}

/** Returns what the processes have answered so far, servers first. */
export async function listLogLevelAnswers(
  connection: DatabaseConnection,
  requestId: string,
): Promise<LogLevelAnswer[]> {
  const found = await logLevelModel(connection)
    .findOne({ ...id, requestId }, { answers: 1 })
    .lean<Pick<LogLevelDocument, 'answers'>>()
  const order = ({ service, host, pid }: LogLevelAnswer) => `${service === 'server' ? 0 : 1} ${host} ${pid}`
  return (found?.answers ?? []).toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
}
