import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { findAudioStoreProblem, markAudioStore } from './store-mark.ts'

let database: TestDatabase
let folders: string[]

beforeEach(async () => {
  database = await createTestDatabase()
  folders = await Promise.all(['server', 'host'].map((name) => mkdtemp(join(tmpdir(), `awaz-${name}-`))))
})
afterEach(async () => {
  await database.drop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

function mark(folder: string) {
  return markAudioStore(database.connection, folder, (error) => expect(error).toBeUndefined())
}

const problemOf = (folder: string) => findAudioStoreProblem(database.connection, folder)

test('an engine that sees the folder of the server has no problem; one with a folder of its own reports what to do', async () => {
  const [server = '', host = ''] = folders
  await mark(server)
  expect(await problemOf(server)).toBeNull()
  expect(await problemOf(host)).toBe(
    `${host} is not the folder in which the server keeps recordings: share DATA_DIR/audio between the hosts.`,
  )
})

test('there is no problem before any server has started', async () => {
  expect(await problemOf(folders[0] ?? '')).toBeNull()
})

test('a mark stays the same, and one that was lost with the folder is made anew', async () => {
  const [server = ''] = folders
  await mark(server)
  await mark(server)
  expect(await problemOf(server)).toBeNull()
  await rm(join(server, '.store'))
  expect(await problemOf(server)).toContain('is not the folder')
  await mark(server)
  expect(await problemOf(server)).toBeNull()
})

test('the folder of the server counts, also after it moved to another one', async () => {
  const [server = '', host = ''] = folders
  await mark(server)
  await mark(host)
  expect(await problemOf(host)).toBeNull()
  expect(await problemOf(server)).toContain('is not the folder')
})

test('servers that start at the same moment agree on one mark', async () => {
  const [server = ''] = folders
  await Promise.all([1, 2, 3, 4].map(() => mark(server)))
  expect(await problemOf(server)).toBeNull()
})

test('a mark that is empty, as a full disk leaves it, is rewritten', async () => {
  const [server = ''] = folders
  await writeFile(join(server, '.store'), '')
  await mark(server)
  expect(await problemOf(server)).toBeNull()
})

test('a folder that cannot be read is no folder of somebody else', async () => {
  const [server = ''] = folders
  await mark(server)
  expect(await problemOf(join(server, '.store'))).toContain('cannot be read (ENOTDIR)')
})

test('reports a mark that cannot be written, and stores nothing', async () => {
  const faults: unknown[] = []
  await markAudioStore(database.connection, join(folders[0] ?? '', 'missing'), (error) => faults.push(error))
  expect(faults).toHaveLength(1)
  expect(await problemOf(folders[1] ?? '')).toBeNull()
})
