import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient, type Collection } from 'mongodb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeRuntimeFolder, startEmbeddedDatabase, type EmbeddedDatabase } from './launch.ts'

const sweepIntervalMs = 200
let disk: string
let runtime: string
let isMounted = false

beforeEach(async () => {
  disk = await mkdtemp(join(tmpdir(), 'awaz-small-disk-'))
  runtime = await makeRuntimeFolder()
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', disk]).status === 0
})

afterEach(async () => {
  if (isMounted) spawnSync('umount', ['-l', disk])
  await rm(disk, { recursive: true, force: true })
  await rm(runtime, { recursive: true, force: true })
})

async function open(): Promise<{ database: EmbeddedDatabase; client: MongoClient; texts: Collection }> {
  const paths = { dataFile: join(disk, 'data.sqlite'), socketPath: join(runtime, 'db.sock') }
  const database = await startEmbeddedDatabase({ ...paths, sweepIntervalMs })
  const client = await new MongoClient(database.uri, { retryWrites: false }).connect()
  return { database, client, texts: client.db('test').collection('texts') }
}

/** Writes until nothing more fits, without checking the free space: the database may take the last pages before the write. */
function fillDisk(): void {
  for (let n = 0, size = 2 ** 20; size >= 1; n++) {
    try {
      writeFileSync(join(disk, `filler-${n}`), Buffer.alloc(size))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      size = Math.floor(size / 16)
    }
  }
}

test('a full disk allows deletions and small changes, keeps what was there, and a restart', async (context) => {
  if (!isMounted) return context.skip('This machine lets no test mount a file system.')
  const first = await open()
  const long = 'x'.repeat(1_000_000)
  for (let n = 0; n < 8; n++) await first.texts.insertOne({ n, text: long })
  fillDisk()

  const insertUntilRefused = async () => {
    for (let n = 100; n < 200; n++) await first.texts.insertOne({ n, text: long })
  }
  await expect(insertUntilRefused()).rejects.toMatchObject({
    code: 14031,
    message: expect.stringContaining('the disk is full'),
  })
  const kept = await first.texts.countDocuments()
  expect(kept).toBeGreaterThanOrEqual(8)
  await first.texts.updateOne({ n: 7 }, { $set: { state: 'cancelled' } })
  expect(await first.texts.deleteMany({ n: { $lt: 3 } })).toMatchObject({ deletedCount: 3 })
  expect(await first.texts.countDocuments()).toBe(kept - 3)

  // Closed first: disconnecting from a dead server takes longer than this test may.
  await first.client.close()
  process.kill(first.database.pid, 'SIGKILL')
  await first.database.exited
  const second = await open()
  expect(await second.texts.countDocuments()).toBe(kept - 3)
  expect(await second.texts.findOne({ n: 7 })).toMatchObject({ state: 'cancelled' })
  await second.texts.deleteOne({ n: 3 })

  for (let n = 0; n < 60; n++) rmSync(join(disk, `filler-${n}`), { force: true })
  await expect
    .poll(
      () =>
        second.texts.insertOne({ n: 300, text: long }).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true)
  await second.client.close()
  await second.database.stop()
})
