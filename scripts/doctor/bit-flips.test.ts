import { createHash, randomBytes, randomInt } from 'node:crypto'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withEmbeddedSnapshot } from '#data/embedded-snapshot.ts'
import { toObjectId } from '#data/ids.ts'
import { seededRandom } from '#engine/speech/seeded-random.ts'
import { findCopyProblems } from '#server/embedded-db/storage/check-copy.ts'
import { openDataFile } from '#server/embedded-db/storage/read-data-file.ts'
import { storeTranscription } from '#server/features/library/testing/store-texts.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { drawSample } from '../backup/draw-sample.ts'
import { openDoctorInstance, type DoctorInstance } from './testing/instance.ts'

const rounds = 30

let instance: DoctorInstance
beforeAll(async () => {
  instance = await openDoctorInstance()
})
afterAll(() => instance.close())

/** Returns a copy with one random bit inverted. */
function flipAt(content: Buffer, index: number, bit = randomInt(8)): Buffer {
  const flipped = Buffer.from(content)
  flipped[index] = (flipped[index] ?? 0) ^ (1 << bit)
  return flipped
}

test('a bit in any place of any sound file is found, and names the recording', async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, path } = instance.recordings[randomInt(instance.recordings.length)] ?? { id: '', path: '' }
    const content = await readFile(path)
    const index = randomInt(content.length)
    await writeFile(path, flipAt(content, index))
    const found = await instance.examine({ codes: ['audio.damaged'], isThorough: true, hasEngine: false })
    await writeFile(path, content)
    const expected = { code: 'audio.damaged', what: expect.stringContaining(id) }
    expect(found, `byte ${index}`).toMatchObject([expected])
  }
})

test('a bit in any place of the master key is found, unless the key stays the same', async () => {
  const path = join(instance.dataDir, 'secrets', 'master-key')
  const content = await readFile(path)
  const keyOf = (text: Buffer) => Buffer.from(text.toString('utf8').trim(), 'base64')
  for (let round = 0; round < rounds; round++) {
    const index = randomInt(content.length)
    const flipped = flipAt(content, index)
    await writeFile(path, flipped)
    const found = await instance.examine({ codes: ['secrets.master_key'], hasEngine: false })
    await writeFile(path, content)
    const codes = keyOf(flipped).equals(keyOf(content)) ? [] : ['secrets.master_key']
    expect(
      found.map(({ code }) => code),
      `byte ${index}`,
    ).toEqual(codes)
  }
})

test('a bit in any place of a transcript is found, unless the text stays the same', async () => {
  const [recording] = instance.recordings
  const owner = { ownerId: instance.ownerId, recordingId: recording?.id ?? '' }
  const text = randomBytes(500).toString('base64')
  const _id = toObjectId(await storeTranscription(instance.server.services.work.queue, owner, { text }))
  const jobs = instance.collection('jobs')
  const stored = (await jobs.findOne({ _id }))?.result as { buffer: Uint8Array } // as the driver returns it
  const content = Buffer.from(stored.buffer)
  const before = gunzipSync(content)
  for (let round = 0; round < rounds; round++) {
    const index = randomInt(content.length)
    const result = flipAt(content, index)
    await jobs.updateOne({ _id }, { $set: { result } })
    const found = await instance.examine({ codes: ['texts.damaged'], isThorough: true, hasEngine: false })
    const codes = isUnpackedAs(result, before) ? [] : ['texts.damaged']
    expect(
      found.map(({ code }) => code),
      `byte ${index}`,
    ).toEqual(codes)
  }
  await jobs.deleteOne({ _id })
})

/** Whether it still unpacks to the text: a gzip header has bytes that do not affect it, such as a time (RFC 1952, section 2.3). */
function isUnpackedAs(packed: Buffer, text: Buffer): boolean {
  try {
    return gunzipSync(packed).equals(text)
  } catch {
    return false
  }
}

/** First bytes of pages that hold tables and indexes (sqlite.org, "Database File Format", section 1.6). */
const treePages = new Set([2, 5, 10, 13])
const pageBytes = 4096
/** The fields of such a page's header that are tested: kind, first free block, number of cells, where they begin. */
const headerBytes = 7

/** Copies the database as the doctor does. */
async function copyDatabase(): Promise<string> {
  const copy = join(await temporaryFolder(), 'copy')
  const { db } = instance.server.services.database.connection
  if (!db) throw new Error('The database is closed')
  const { signal } = new AbortController()
  await withEmbeddedSnapshot(db, { signal }, (file) => copyFile(file, copy))
  expect(findCopyProblems(copy, { isThorough: true })).toEqual([])
  return copy
}

test('a bit in the header of any page of tables and indexes is found', async () => {
  const copy = await copyDatabase()
  const content = await readFile(copy)
  const offsets = Array.from({ length: content.length / pageBytes }, (_, page) => page * pageBytes)
  const pages = offsets.filter((at) => at > 0 && treePages.has(content[at] ?? 0))
  for (const at of drawSample(pages, rounds)) {
    const index = at + randomInt(headerBytes)
    await writeFile(copy, flipAt(content, index))
    expect(findCopyProblems(copy, { isThorough: true }), `byte ${index}`).not.toEqual([])
  }
})

/** Returns a hash of everything in a database: collections, indexes and documents. */
function readContent(file: string): string {
  const data = openDataFile(file)
  const hash = createHash('sha256')
  for (const { name, indexes, count, documents } of data.collections('awaz')) {
    hash.update(JSON.stringify([name, indexes, count]))
    for (const document of documents()) hash.update(document)
  }
  data.close()
  return hash.digest('hex')
}

test('a bit in any place of the database file is found, unless nothing that it says changes', async () => {
  const copy = await copyDatabase()
  const content = await readFile(copy)
  const before = readContent(copy)
  const random = seededRandom(31)
  // Most of a file is unused space, which is skipped: flips go on until `rounds` of them are found in the rest.
  const missed: number[] = []
  for (let found = 0; found < rounds;) {
    const index = Math.floor(random() * content.length)
    if (!isUsed(content, index)) continue
    await writeFile(copy, flipAt(content, index, Math.floor(random() * 8)))
    const problems = findCopyProblems(copy, { isThorough: true })
    if (problems.length > 0) found += 1
    else if (!isReadAs(copy, before)) missed.push(index)
  }
  expect(missed).toEqual([])
})

/** Whether a byte lies in a block of 16 that is not all zero: deleted rows are overwritten with zeros. */
function isUsed(content: Buffer, index: number): boolean {
  const start = index - (index % 16)
  return content.subarray(start, start + 16).some((byte) => byte !== 0)
}

function isReadAs(file: string, content: string): boolean {
  try {
    return readContent(file) === content
  } catch {
    return false
  }
}
