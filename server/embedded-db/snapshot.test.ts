import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MongoClient, type Db } from 'mongodb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeRuntimeFolder, startEmbeddedDatabase, type EmbeddedDatabase } from './launch.ts'
import { openDataFile } from './storage/read-data-file.ts'

let folder: string
let runtime: string
let engine: EmbeddedDatabase
let client: MongoClient
let db: Db

async function start() {
  engine = await startEmbeddedDatabase({ dataFile: join(folder, 'data.sqlite'), socketPath: join(runtime, 'db.sock') })
  client = await new MongoClient(engine.uri).connect()
  db = client.db()
}

async function stop() {
  await client.close()
  await engine.stop()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awaz-snapshot-'))
  runtime = await makeRuntimeFolder()
  await start()
})

afterEach(async () => {
  await stop()
  for (const path of [folder, runtime]) await rm(path, { recursive: true, force: true })
})

async function fill(count: number): Promise<void> {
  const documents = Array.from({ length: count }, (_, n) => ({ n, text: String(n).repeat(200) }))
  await db.collection('filler').insertMany(documents)
}

async function startSnapshot(): Promise<string> {
  return String((await db.command({ awazStartSnapshot: 1 })).id)
}

/** Returns the status of a snapshot once it has ended. */
function whenDone(id: string): Promise<Record<string, unknown>> {
  return vi.waitUntil(async () => {
    const reply = await db.command({ awazSnapshotStatus: id })
    return reply.isDone === true ? reply : undefined
  }, 30_000)
}

/** Returns the file of a finished snapshot. */
async function copiedFile(id: string): Promise<string> {
  return String((await whenDone(id)).file)
}

const copies = async () => (await readdir(folder)).filter((name) => name.includes('snapshot'))

test('a snapshot made while a writer writes holds one moment, after its start and before its end', async () => {
  await fill(20_000)
  const pairs = { first: db.collection<{ n: number }>('first'), second: db.collection<{ n: number }>('second') }
  let written = 0
  const end = new AbortController()
  const writing = (async () => {
    for (; !end.signal.aborted; written++) {
      await pairs.first.insertOne({ n: written })
      await pairs.second.insertOne({ n: written })
    }
  })()
  await vi.waitUntil(() => written > 20)
  const before = written
  const file = await copiedFile(await startSnapshot())
  end.abort()
  await writing

  const copy = openDataFile(file)
  const counts = Object.fromEntries(copy.collections('awaz').map(({ name, count }) => [name, count]))
  copy.close()
  expect(counts.filler).toBe(20_000)
  expect(counts.second).toBeGreaterThanOrEqual(before)
  expect(counts.first).toBeLessThanOrEqual(written)
  expect((counts.first ?? 0) - (counts.second ?? 0)).toBeOneOf([0, 1])
})

test('a snapshot that starts in the middle of a write is made', async () => {
  await fill(100)
  const end = new AbortController()
  const writers = Array.from({ length: 4 }, async () => {
    while (!end.signal.aborted) await db.collection('filler').updateMany({}, { $inc: { n: 1 } })
  })
  for (let n = 0; n < 40; n++) {
    const id = await startSnapshot()
    await whenDone(id)
    await db.command({ awazDropSnapshot: id })
  }
  expect(await db.collection('filler').countDocuments()).toBe(100)
  end.abort()
  await Promise.all(writers)
})

test('a finished snapshot shows all pages as copied, however few there are', async () => {
  for (const documents of [1, 5_000]) {
    await fill(documents)
    const id = await startSnapshot()
    const { copiedPages, totalPages } = await whenDone(id)
    expect(copiedPages).toBeGreaterThan(0)
    expect(copiedPages).toBe(totalPages)
    await db.command({ awazDropSnapshot: id })
  }
})

test('the documents and indexes of a snapshot are those of the database, byte by byte', async () => {
  await fill(300)
  await db.collection('filler').createIndex({ n: 1 }, { unique: true })
  const copy = openDataFile(await copiedFile(await startSnapshot()))
  const [filler] = copy.collections('awaz')
  const stored = await db.collection('filler').find<Uint8Array>({}, { raw: true }).sort({ n: 1 }).toArray()
  const hex = (bodies: Iterable<Uint8Array>) => [...bodies].map((body) => Buffer.from(body).toString('hex'))
  expect(hex(filler?.documents() ?? [])).toEqual(hex(stored))
  expect(filler?.indexes.map(({ name }) => name)).toEqual(['_id_', 'n_1'])
  copy.close()
})

test('one snapshot at a time; a dropped one leaves no file, and neither does one that the process did not outlive', async () => {
  await fill(20_000)
  // With both connections open the second command follows right after the first, before the copy can be complete.
  await Promise.all([db.command({ ping: 1 }), db.command({ ping: 1 })])
  const [begun, refused] = await Promise.allSettled([startSnapshot(), startSnapshot()])
  expect(refused).toMatchObject({ status: 'rejected', reason: { codeName: 'ConflictingOperationInProgress' } })
  const first = begun.status === 'fulfilled' ? begun.value : ''
  await whenDone(first)
  // The client of the first one may still be reading it.
  await expect(startSnapshot()).rejects.toThrow('another snapshot')
  expect(await copies()).toHaveLength(1)
  await db.command({ awazDropSnapshot: first })
  await vi.waitUntil(async () => (await copies()).length === 0)
  await expect(db.command({ awazSnapshotStatus: first })).rejects.toThrow('there is no snapshot')

  await writeFile(join(folder, 'data.sqlite.snapshot-old'), 'left behind by a killed process')
  await stop()
  await start()
  expect(await copies()).toEqual([])
})

test('the database ends cleanly in the middle of a snapshot, and keeps what it acknowledged', async () => {
  await fill(20_000)
  await startSnapshot()
  await client.close()
  await engine.stop()
  expect(await engine.exited).toBe(0)
  await start()
  expect(await db.collection('filler').countDocuments()).toBe(20_000)
  expect(await copies()).toEqual([])
})

test('a snapshot that was deleted can be read to its end by who has it open; a damaged one is refused', async () => {
  await fill(2_000)
  const id = await startSnapshot()
  const file = await copiedFile(id)
  const copy = openDataFile(file)
  await db.command({ awazDropSnapshot: id })
  expect(existsSync(file)).toBe(false)
  expect([...(copy.collections('awaz')[0]?.documents() ?? [])]).toHaveLength(2_000)
  copy.close()

  const other = await copiedFile(await startSnapshot())
  await truncate(other, 100_000)
  expect(() => openDataFile(other)).toThrow(/damaged|malformed/)
})
