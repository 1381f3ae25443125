import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#data/ids.ts'
import { claimJob } from '#data/jobs/claim.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { makeJob } from '#testing/jobs.ts'
import { attemptFolder, removeLeftovers } from './leftovers.ts'

let database: TestDatabase
let queue: Queue
let tempDir: string

beforeEach(async () => {
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  tempDir = await mkdtemp(join(tmpdir(), 'awaz-leftovers-'))
})
afterEach(async () => {
  await database.drop()
  await rm(tempDir, { recursive: true, force: true })
})

test('deletes the folder of an attempt that lost its lease or its job, and keeps that of an active attempt', async () => {
  await makeJob(queue, { ownerId: newId() })
  const held = await claimJob(queue, 'engine')
  if (!held) throw new Error('There was no job to claim')
  const folders = {
    active: attemptFolder(tempDir, held),
    before: attemptFolder(tempDir, { id: held.id, leaseId: newId() }),
    deleted: attemptFolder(tempDir, { id: newId(), leaseId: newId() }),
  }
  for (const folder of Object.values(folders)) await mkdir(folder)
  await removeLeftovers(queue, tempDir)
  expect(await readdir(tempDir)).toEqual([basename(folders.active)])
})

test('deletes anything else that is older than an hour', async () => {
  for (const name of ['young', 'old']) await mkdir(join(tempDir, name))
  const before = new Date(Date.now() - 3601 * 1000)
  await utimes(join(tempDir, 'old'), before, before)
  await removeLeftovers(queue, tempDir)
  expect(await readdir(tempDir)).toEqual(['young'])
})

test('creates the temporary folder when it is missing', async () => {
  await rm(tempDir, { recursive: true })
  await removeLeftovers(queue, tempDir)
  expect(await readdir(tempDir)).toEqual([])
})
