import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { newId } from '../ids.ts'
import { ensureIndexes } from '../indexes.ts'
import type { AudioStore } from './audio-store.ts'
import { audioChunkModel, audioFileModel } from './gridfs/audio-file-model.ts'
import { openAudioStore, openAudioStores } from './open-audio-store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
afterAll(() => database.drop())

const { signal } = new AbortController()
const future = new Date(Date.now() + 3_600_000)

describe.each(['folder', 'gridfs'] as const)('recordings kept as %s', (audioStore) => {
  let dataDir: string
  let store: AudioStore
  let file: { id: string; extension: string }

  beforeEach(async () => {
    dataDir = await temporaryFolder()
    store = await openAudioStore({ dataDir, audioStore, audioCopyBytes: 10_000_000 }, database.connection)
    file = { id: newId(), extension: 'wav' }
  })

  /** Returns the names of the files on this host, and one entry for each file and chunk in the database. */
  async function listLeft(): Promise<string[]> {
    const { connection } = database
    const files = await audioFileModel(connection).countDocuments({})
    const chunks = await audioChunkModel(connection).countDocuments({})
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    return [...names, ...Array<string>(files).fill('file'), ...Array<string>(chunks).fill('chunk')]
  }

  async function listPaths(name: string): Promise<string[]> {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.name === name).map((entry) => join(entry.parentPath, name))
  }

  const receive = (content: Uint8Array, maxBytes = content.length) =>
    store.receive(Readable.from([Buffer.from(content)]), { ...file, maxBytes })

  const readAll = async (sizeBytes: number) => buffer(await store.read(file, { start: 0, end: sizeBytes - 1 }))

  test('keeps what it received under the id, with size and hash', async () => {
    const content = Buffer.from('some sound')
    const stream = Readable.from([content.subarray(0, 4), content.subarray(4)])
    const pending = await store.receive(stream, { ...file, maxBytes: 10 })
    expect(pending).toMatchObject({ sizeBytes: 10, sha256: createHash('sha256').update(content).digest('hex') })
    expect(await readFile(pending.path)).toEqual(content)
    expect(await store.size(file)).toBeNull()
    await pending.keep()
    expect(await store.size(file)).toBe(10)
    expect(await store.size({ ...file, extension: 'mp3' })).toBeNull()
    expect(await buffer(await store.read(file, { start: 5, end: 9 }))).toEqual(Buffer.from('sound'))
    const opened = await store.open(file)
    expect(await readFile(opened.path)).toEqual(content)
    await opened.release()
    await store.remove(file)
    await store.remove(file)
    expect(await listLeft()).toEqual([])
  })

  test('any range of a long file is what was received', async () => {
    const content = randomBytes(3_500_000)
    const parts = Array.from({ length: 70 }, (_, n) => content.subarray(n * 50_000, (n + 1) * 50_000))
    await (await store.receive(Readable.from(parts), { ...file, maxBytes: content.length })).keep()
    for (const [start, end] of [
      [0, 0],
      [0, 1_048_575],
      [1_048_575, 1_048_576],
      [1_048_576, 2_097_151],
      [500_000, 3_400_000],
      [3_499_999, 3_499_999],
    ] as const) {
      const read = await buffer(await store.read(file, { start, end }))
      expect(read.equals(content.subarray(start, end + 1)), `${start} to ${end}`).toBe(true)
    }
    await store.remove(file)
  })

  test('another extension than announced is the one under which it is kept', async () => {
    await (await receive(Buffer.from('x'))).keep('mp3')
    expect(await store.size(file)).toBeNull()
    expect(await store.size({ ...file, extension: 'mp3' })).toBe(1)
    await store.remove({ ...file, extension: 'mp3' })
    expect(await listLeft()).toEqual([])
  })

  test('a byte too many is refused, leaves nothing and is no failure of the sender', async () => {
    const stream = new PassThrough()
    const errors: unknown[] = []
    stream.on('error', (error) => errors.push(error))
    stream.write(Buffer.alloc(11))
    await expect(store.receive(stream, { ...file, maxBytes: 10 })).rejects.toMatchObject({ code: 'upload_too_large' })
    expect(await listLeft()).toEqual([])
    expect(errors).toEqual([])
  })

  test('a sender that fails leaves nothing', async () => {
    const stream = new PassThrough()
    stream.write('begin')
    const receiving = store.receive(stream, { ...file, maxBytes: 10 })
    stream.destroy(new Error('disconnected'))
    await expect(receiving).rejects.toThrow('disconnected')
    expect(await listLeft()).toEqual([])
  })

  test('discarding takes the file away, whether or not it was kept', async () => {
    const pending = await receive(Buffer.from('x'))
    await pending.keep()
    await pending.discard()
    await pending.discard()
    expect(await listLeft()).toEqual([])
    await (await receive(Buffer.from('x'))).discard()
    expect(await listLeft()).toEqual([])
  })

  test('what an opened file says stays, although it is removed', async () => {
    await (await receive(Buffer.from('sound'))).keep()
    const opened = await store.open(file)
    await store.remove(file)
    expect(await readFile(opened.path, 'utf8')).toBe('sound')
    await opened.release()
    expect(await listLeft()).toEqual([])
  })

  test('an opened file stays, however old the recording is, while what killed processes left is removed', async () => {
    await (await receive(Buffer.from('sound'))).keep()
    const lastYear = new Date(Date.now() - 365 * 24 * 3_600_000)
    for (const path of await listPaths(`${file.id}.wav`)) await utimes(path, lastYear, lastYear)
    const opened = await store.open(file)
    await store.removePartsOlder(new Date(Date.now() - 60_000))
    expect(await readFile(opened.path, 'utf8')).toBe('sound')
    await opened.release()
    await store.remove(file)
    expect(await listLeft()).toEqual([])
  })

  test('files are listed by age, and can be put aside', async () => {
    await (await receive(Buffer.from('x'))).keep()
    async function list(before: Date) {
      const found = []
      for await (const files of store.listOlder(before)) found.push(...files)
      return found
    }
    expect(await list(future)).toEqual([file])
    expect(await list(new Date(0))).toEqual([])
    await store.quarantine(file)
    expect(await list(future)).toEqual([])
    expect(await store.size(file)).toBeNull()
    expect(await store.countQuarantined()).toBe(1)
    expect(await store.removePartsOlder(future)).toBe(0)
    await audioFileModel(database.connection).deleteMany({})
    await audioChunkModel(database.connection).deleteMany({})
  })

  test('there is room for an upload', async () => {
    expect(await store.freeBytes()).toBeGreaterThan(1_000_000)
  })

  test('an upload grows part by part, is cut off where its record ends, and becomes the recording', async () => {
    const content = randomBytes(2_500_000)
    const stored: number[] = []
    const append = (offset: number, bytes: Buffer) =>
      store.uploads.append(file.id, Readable.from([bytes]), {
        offset,
        maxBytes: content.length - offset,
        signal,
        onReceived: () => undefined,
        onStored: async (sizeBytes) => void stored.push(sizeBytes),
      })
    expect(await store.uploads.size(file.id)).toBe(0)
    await append(0, content.subarray(0, 1_200_000))
    expect(await store.uploads.size(file.id)).toBe(1_200_000)
    await append(1_100_000, content.subarray(1_100_000, 1_100_010))
    await append(1_100_010, content.subarray(1_100_010))
    expect(stored).toEqual([1_200_000, 1_100_010, 2_500_000])
    expect(await store.uploads.list()).toEqual([file.id])
    const pending = await store.uploads.open(file)
    expect(pending).toMatchObject({
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })
    expect((await readFile(pending.path)).equals(content)).toBe(true)
    await pending.keep()
    await pending.discard()
    expect(await store.size(file)).toBeNull()
    const again = await store.uploads.open(file)
    await again.keep('ogg')
    await store.uploads.remove(file.id)
    file = { ...file, extension: 'ogg' }
    expect((await readAll(content.length)).equals(content)).toBe(true)
    expect(await store.uploads.size(file.id)).toBe(0)
    await store.remove(file)
    expect(await listLeft()).toEqual([])
  })

  test('what an earlier writer of an upload still sends changes nothing of what a later one has stored', async () => {
    const content = randomBytes(1_500_000)
    const slow = new PassThrough()
    const options = { maxBytes: content.length, signal, onReceived: () => undefined, onStored: async () => undefined }
    const begun = Promise.withResolvers<void>()
    const earlier = store.uploads.append(file.id, slow, { ...options, offset: 0, onReceived: begun.resolve })
    slow.write(content.subarray(0, 1000))
    await begun.promise
    await store.uploads.append(file.id, Readable.from([content]), { ...options, offset: 0 })
    slow.end(content.subarray(1000, 5000))
    await earlier.catch(() => undefined) // the store need not notice; the upload's record does
    const pending = await store.uploads.open(file)
    expect((await readFile(pending.path)).equals(content)).toBe(true)
    await pending.discard()
    await store.uploads.remove(file.id)
    expect(await listLeft()).toEqual([])
  })

  test('an upload whose client has left before it begins ends at once', async () => {
    const stream = new PassThrough()
    stream.destroy()
    const options = { offset: 0, maxBytes: 1000, signal, onReceived: () => undefined, onStored: async () => undefined }
    await expect(store.uploads.append(file.id, stream, options)).rejects.toThrow('closed')
    await store.uploads.remove(file.id)
    expect(await listLeft()).toEqual([])
  })

  test('an upload that is cut off, also before anything was written, keeps what arrived, and is removed whole', async () => {
    const stream = new PassThrough()
    const stored: number[] = []
    const appending = store.uploads.append(file.id, stream, {
      offset: 0,
      maxBytes: 1000,
      signal,
      onReceived: () => undefined,
      onStored: async (sizeBytes) => void stored.push(sizeBytes),
    })
    stream.write(Buffer.alloc(600))
    await vi.waitUntil(() => stream.readableLength === 0)
    stream.destroy(new Error('cut off'))
    await expect(appending).rejects.toThrow('cut off')
    expect(stored).toEqual([600])
    expect(await store.uploads.size(file.id)).toBe(600)
    await store.uploads.remove(file.id)
    expect(await listLeft()).toEqual([])
  })
})

test('what one store has is found where the other is in use, and is removed there', async () => {
  const config = { dataDir: await temporaryFolder(), audioCopyBytes: 10_000_000 }
  const { connection } = database
  for (const [before, after] of [
    ['folder', 'gridfs'],
    ['gridfs', 'folder'],
  ] as const) {
    const file = { id: newId(), extension: 'wav' }
    const earlier = await openAudioStore({ ...config, audioStore: before }, connection)
    await (await earlier.receive(Readable.from([Buffer.from('sound')]), { ...file, maxBytes: 5 })).keep()
    const later = await openAudioStore({ ...config, audioStore: after }, connection)
    expect(await later.size(file)).toBe(5)
    expect(await buffer(await later.read(file, { start: 1, end: 4 }))).toEqual(Buffer.from('ound'))
    const opened = await later.open(file)
    expect(await readFile(opened.path, 'utf8')).toBe('sound')
    await opened.release()
    await later.remove(file)
    expect([await earlier.size(file), await later.size(file)]).toEqual([null, null])
  }
})

test('the copies on a host stay below their limit', async () => {
  const { connection } = database
  const config = { dataDir: await temporaryFolder(), audioStore: 'gridfs' as const, audioCopyBytes: 2_000_000 }
  const { current: store } = await openAudioStores(config, connection)
  const files = Array.from({ length: 4 }, () => ({ id: newId(), extension: 'wav' }))
  for (const file of files)
    await (await store.receive(Readable.from([randomBytes(900_000)]), { ...file, maxBytes: 900_000 })).keep()
  expect(await readdir(`${config.dataDir}/audio-copies/files`)).toHaveLength(2)
  for (const file of files) {
    const { path, release } = await store.open(file)
    expect((await readFile(path)).length).toBe(900_000)
    await release()
  }
  expect(await readdir(`${config.dataDir}/audio-copies/files`)).toHaveLength(2)
  for (const file of files) await store.remove(file)
  expect(await readdir(`${config.dataDir}/audio-copies`, { recursive: true })).toHaveLength(3)
})
