import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { newId } from '../ids.ts'
import { ensureIndexes } from '../indexes.ts'
import type { AudioStore } from './audio-store.ts'
import { layerAudioStores } from './layered-store.ts'
import { countAudio, moveAudio } from './move-audio.ts'
import { openAudioStores } from './open-audio-store.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
afterAll(() => database.drop())

const { signal } = new AbortController()
let folder: AudioStore
let gridfs: AudioStore
const file = { id: newId(), extension: 'wav' }

beforeEach(async () => {
  const config = { dataDir: await temporaryFolder(), audioStore: 'gridfs' as const, audioCopyBytes: 0 }
  const stores = await openAudioStores(config, database.connection)
  ;[folder, gridfs] = [stores.other, stores.current]
  await put(folder, file)
})

const put = async (store: AudioStore, at: typeof file) =>
  (await store.receive(Readable.from([Buffer.from('sound')]), { ...at, maxBytes: 5 })).keep()
const sizes = async (at = file) => [await folder.size(at), await gridfs.size(at)]

test('there and back moves every file, and counts them', async () => {
  const others = Array.from({ length: 5 }, () => ({ id: newId(), extension: 'mp3' }))
  for (const other of others) await put(folder, other)
  expect(await countAudio(folder)).toEqual({ files: 6, bytes: 30 })
  expect(await moveAudio({ from: folder, to: gridfs, signal })).toEqual({ files: 6, bytes: 30 })
  for (const at of [file, ...others]) expect(await sizes(at)).toEqual([null, 5])
  expect(await moveAudio({ from: folder, to: gridfs, signal })).toEqual({ files: 0, bytes: 0 })
  expect(await moveAudio({ from: gridfs, to: folder, signal })).toEqual({ files: 6, bytes: 30 })
  expect(await countAudio(gridfs)).toEqual({ files: 0, bytes: 0 })
  expect(await buffer(await folder.read(file, { start: 0, end: 4 }))).toEqual(Buffer.from('sound'))
})

test('a recording is found although it is moved between the looks into both stores', async () => {
  const moving: AudioStore = {
    ...folder,
    async size(at) {
      await moveAudio({ from: folder, to: gridfs, signal })
      return folder.size(at)
    },
  }
  expect(await layerAudioStores(gridfs, moving).size(file)).toBe(5)
  await gridfs.remove(file)
})

test('a recording that is deleted while it is moved stays deleted', async () => {
  const store = layerAudioStores(gridfs, folder)
  const to: AudioStore = {
    ...gridfs,
    async receive(...given) {
      const received = await gridfs.receive(...given)
      async function keep(extension?: string) {
        await store.remove(file)
        await received.keep(extension)
      }
      return { ...received, keep }
    },
  }
  expect(await moveAudio({ from: folder, to, signal })).toEqual({ files: 0, bytes: 0 })
  expect(await sizes()).toEqual([null, null])
})

test('what an interrupted move wrote and did not remove is removed by the next', async () => {
  await put(gridfs, file)
  expect(await moveAudio({ from: folder, to: gridfs, signal })).toEqual({ files: 1, bytes: 5 })
  expect(await sizes()).toEqual([null, 5])
  await gridfs.remove(file)
})
