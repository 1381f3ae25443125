import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepDatabaseRunning, type KeptDatabase } from './database.ts'

let folder: string
let database: KeptDatabase | undefined
const lines: string[] = []
const onLine = (line: string) => lines.push(line)

beforeEach(async () => {
  lines.length = 0
  folder = await mkdtemp(join(tmpdir(), 'awaz-kept-'))
})
afterEach(async () => {
  await database?.stop()
  database = undefined
  await rm(folder, { recursive: true, force: true })
})

function paths() {
  return { dataFile: join(folder, 'awaz.sqlite'), socketPath: join(folder, 'db.sock') }
}

test('a database that is killed comes back at the same address with what it had acknowledged', async () => {
  const kept = await keepDatabaseRunning(paths(), { onLine, firstDelayMs: 1 })
  database = kept
  const client = new MongoClient(kept.uri, { serverSelectionTimeoutMS: 20_000 })
  const notes = client.db().collection('notes')
  await notes.insertOne({ text: 'kept' })
  for (let round = 1; round <= 2; round += 1) {
    const pid = kept.pid()
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(() => expect(kept.pid()).not.toBe(pid), { timeout: 20_000 })
    expect(await notes.countDocuments({ text: 'kept' })).toBe(1)
  }
  await client.close()
  expect(lines).toEqual(Array.from({ length: 2 }, () => 'the database ended (killed); starting it again'))
})

test('a data file that is no database fails the first start', async () => {
  const first = { ...paths(), dataFile: join(folder, 'nowhere', 'awaz.sqlite') }
  await expect(keepDatabaseRunning(first, { onLine })).rejects.toThrow(/./)
})

test('stopping while it waits to start again leaves no process', async () => {
  database = await keepDatabaseRunning(paths(), { onLine, firstDelayMs: 60_000 })
  const pid = database.pid()
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(lines).toHaveLength(1))
  await database.stop()
  expect(database.pid()).toBe(pid)
})
