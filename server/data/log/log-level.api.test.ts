import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ensureIndexes } from '#data/indexes.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createTestClock, type TestClock } from '#testing/test-clock.ts'
import { createLogLevelFollower } from './follow-log-level.ts'
import { requestLogLevels, changeLogLevel, listLogLevelAnswers } from './log-level-requests.ts'
import { logLevelModel } from './log-level-model.ts'
import type { LogLevel } from './log-settings.ts'
import { createProcessLog, type ProcessLogOptions } from './process-log.ts'

const minuteMs = 60_000
let database: TestDatabase
let clock: TestClock

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
beforeEach(async () => {
  clock = createTestClock()
  await logLevelModel(database.connection).deleteMany({})
})
afterAll(() => database.drop())

/** Starts only the logging of a process, which is a server or an engine. */
async function startProcess(service: ProcessLogOptions['service'], usual: LogLevel = 'info') {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) // written by pino
  const processLog = createProcessLog({ service, level: usual, destination: { write } })
  const { poll: follow } = createLogLevelFollower({ processLog, service, usual, clock })
  const poll = (connection = database.connection) => follow(connection)
  await poll()
  return { ...processLog, lines, poll }
}

test('a server and an engine take over a level, in jobs that run already too, and go back when its time is over', async () => {
  const [server, engine] = await Promise.all([startProcess('server'), startProcess('engine', 'warn')])
  const job = engine.log.child({ jobId: '1' })
  job.debug('before')
  await changeLogLevel(database.connection, { level: 'debug', forMs: 30 * minuteMs })
  await Promise.all([server.poll(), engine.poll()])
  job.debug('meanwhile')
  expect([server.level(), engine.level()]).toEqual(['debug', 'debug'])
  clock.advance(29 * minuteMs)
  await Promise.all([server.poll(), engine.poll()])
  expect([server.level(), engine.level()]).toEqual(['debug', 'debug'])
  clock.advance(2 * minuteMs)
  await Promise.all([server.poll(), engine.poll()])
  job.debug('after')
  expect([server.level(), engine.level()]).toEqual(['info', 'warn'])
  const changed = { msg: 'the log level was changed', level: 30, service: 'engine' }
  expect(engine.lines).toMatchObject([
    { ...changed, from: 'warn', to: 'debug' },
    { msg: 'meanwhile', jobId: '1', level: 20 },
    { ...changed, from: 'debug', to: 'warn' },
  ])
  // The request is still stored and, by the database's clock, not over yet.
  await Promise.all([server.poll(), engine.poll()])
  expect([server.level(), engine.level()]).toEqual(['info', 'warn'])
})

test('a level ends on time while the database cannot be reached', async () => {
  const server = await startProcess('server')
  await changeLogLevel(database.connection, { level: 'error', forMs: minuteMs })
  await server.poll()
  expect(server.level()).toBe('error')
  clock.advance(2 * minuteMs)
  const lost = await createTestDatabase()
  await lost.drop()
  await expect(server.poll(lost.connection)).rejects.toThrow(/must be connected/)
  expect(server.level()).toBe('info')
})

test('a process that starts meanwhile logs at that level, and one that starts later does not', async () => {
  await changeLogLevel(database.connection, { level: 'debug', forMs: minuteMs })
  expect((await startProcess('engine')).level()).toBe('debug')
  await changeLogLevel(database.connection, { level: 'debug', forMs: -1 })
  expect((await startProcess('engine')).level()).toBe('info')
})

test('a level can be given back before its time, and another one given', async () => {
  const server = await startProcess('server')
  for (const [level, expected] of [
    ['trace', 'trace'],
    ['silent', 'silent'],
    [null, 'info'],
  ] as const) {
    await changeLogLevel(database.connection, { level, forMs: minuteMs })
    await server.poll()
    expect(server.level()).toBe(expected)
  }
})

test('processes answer a question once, with the level that they log at and its end, and change nothing', async () => {
  const engine = await startProcess('engine')
  await changeLogLevel(database.connection, { level: 'debug', forMs: minuteMs })
  await engine.poll()
  const server = await startProcess('server', 'error')
  await changeLogLevel(database.connection, { level: null, forMs: 0 })
  await server.poll()
  const requestId = await requestLogLevels(database.connection)
  expect(await listLogLevelAnswers(database.connection, requestId)).toEqual([])
  for (const { poll } of [engine, server, engine]) await poll()
  expect(await listLogLevelAnswers(database.connection, requestId)).toMatchObject([
    { service: 'server', pid: process.pid, level: 'error', endsAt: null },
    { service: 'engine', pid: process.pid, level: 'info', endsAt: null },
  ])
  await changeLogLevel(database.connection, { level: 'debug', forMs: minuteMs })
  const last = await requestLogLevels(database.connection)
  await engine.poll()
  expect(await listLogLevelAnswers(database.connection, last)).toMatchObject([
    { level: 'debug', endsAt: expect.any(Date) },
  ])
  expect(await listLogLevelAnswers(database.connection, requestId)).toEqual([])
})
