import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { socketUri } from '#server/embedded-db/socket.ts'
import { startService, type Service } from './service.ts'

const databaseProgram = join(import.meta.dirname, '../../server/embedded-db/main.ts')
const lines: string[] = []
let folder: string
let service: Service | undefined

beforeEach(async () => {
  lines.length = 0
  folder = await mkdtemp(join(tmpdir(), 'awaz-service-'))
})
afterEach(async () => {
  await service?.stop(5000)
  service = undefined
  await rm(folder, { recursive: true, force: true })
})

function startDatabase({ dataFile = join(folder, 'a.sqlite'), firstDelayMs = 1 } = {}) {
  service = startService({
    name: 'database',
    args: ['--disable-warning=ExperimentalWarning', databaseProgram, '--data', dataFile, '--socket', socketPath()],
    env: () => process.env,
    onLine: (line) => lines.push(line),
    firstDelayMs,
  })
  return service
}

function socketPath() {
  return join(folder, 'db.sock')
}

async function pidAfter(before: number): Promise<number> {
  await vi.waitFor(() => expect(service?.pid()).not.toBe(before), { timeout: 20_000, interval: 50 })
  return service?.pid() ?? 0
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a service that is killed comes back with what it had acknowledged', async () => {
  const database = startDatabase()
  await database.ready
  const client = new MongoClient(socketUri(socketPath()), { serverSelectionTimeoutMS: 20_000 })
  const notes = client.db().collection('notes')
  await notes.insertOne({ text: 'kept' })
  for (let round = 1; round <= 2; round += 1) {
    const pid = database.pid() ?? 0
    process.kill(pid, 'SIGKILL')
    await pidAfter(pid)
    await vi.waitFor(async () => expect(await notes.countDocuments({ text: 'kept' })).toBe(1))
  }
  await client.close()
  expect(lines.filter((line) => line.includes('starting it again'))).toHaveLength(2)
})

test('a service that stays stopped is replaced within ten seconds', async () => {
  const database = startDatabase()
  await database.ready
  const pid = database.pid() ?? 0
  const startedAt = performance.now()
  process.kill(pid, 'SIGSTOP')
  await pidAfter(pid)
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(isThere(pid)).toBe(false)
})

test('a service that was stopped for three seconds is kept', async () => {
  const database = startDatabase()
  await database.ready
  const pid = database.pid() ?? 0
  process.kill(pid, 'SIGSTOP')
  spawn('sh', ['-c', `sleep 3; kill -CONT ${pid}`])
  const client = new MongoClient(socketUri(socketPath()), { serverSelectionTimeoutMS: 20_000 })
  await client.db().collection('notes').insertOne({ text: 'late' })
  await client.close()
  expect(database.pid()).toBe(pid)
})

test('repeated failures at start are given up, with the output of the service', async () => {
  const dataFile = join(folder, 'text.sqlite')
  await writeFile(dataFile, 'this is no database'.repeat(100))
  const database = startDatabase({ dataFile })
  const reason = `database cannot be started: ${dataFile} is damaged (file is not a database). Keep a copy of the folder, and restore`
  expect((await database.failed).slice(0, reason.length)).toBe(reason)
})

test('stopping while it waits to start again leaves no process', async () => {
  const database = startDatabase({ firstDelayMs: 60_000 })
  await database.ready
  const pid = database.pid() ?? 0
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(lines.join()).toContain('starting it again'), { timeout: 5000 })
  await database.stop(1000)
  expect(database.pid()).toBe(pid)
  expect(isThere(pid)).toBe(false)
})

test('stopping a service that is stopped by a signal ends it at once', async () => {
  const database = startDatabase()
  await database.ready
  const pid = database.pid() ?? 0
  process.kill(pid, 'SIGSTOP')
  await database.stop(5000)
  expect(isThere(pid)).toBe(false)
  expect(lines.join()).not.toContain('starting it again')
})
