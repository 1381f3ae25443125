import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDiskStore } from './disk-store.ts'

const file = { id: '0123456789abcdef01234567', extension: 'wav' }
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'awaz-store-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

async function listFiles() {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

test('keeps what it received under the id, with size and hash', async () => {
  const store = await openDiskStore(root)
  const content = Buffer.from('some sound')
  const pending = await store.receive(Readable.from([content.subarray(0, 4), content.subarray(4)]), {
    ...file,
    maxBytes: 10,
  })
  expect(pending).toMatchObject({ sizeBytes: 10, sha256: createHash('sha256').update(content).digest('hex') })
  expect(await store.size(file)).toBeNull()
  await pending.keep()
  expect(await store.size(file)).toBe(10)
  expect(await buffer(store.read(file, { start: 5, end: 9 }))).toEqual(Buffer.from('sound'))
  expect(await readFile((await store.open(file)).path)).toEqual(content)
  await store.remove(file)
  await store.remove(file)
  expect(await listFiles()).toEqual([])
})

test('a byte too many is refused, leaves nothing and is no failure of the sender', async () => {
  const store = await openDiskStore(root)
  const stream = new PassThrough()
  const errors: unknown[] = []
  stream.on('error', (error) => errors.push(error))
  stream.write(Buffer.alloc(11))
  await expect(store.receive(stream, { ...file, maxBytes: 10 })).rejects.toMatchObject({ code: 'upload_too_large' })
  expect(await listFiles()).toEqual([])
  expect(errors).toEqual([])
})

test('a sender that fails leaves nothing', async () => {
  const store = await openDiskStore(root)
  const stream = new PassThrough()
  stream.write('begin')
  const receiving = store.receive(stream, { ...file, maxBytes: 10 })
  stream.destroy(new Error('disconnected'))
  await expect(receiving).rejects.toThrow('disconnected')
  expect(await listFiles()).toEqual([])
})

test('discarding takes the file away, whether or not it was kept', async () => {
  const store = await openDiskStore(root)
  const pending = await store.receive(Readable.from([Buffer.from('x')]), { ...file, maxBytes: 10 })
  await pending.keep()
  await pending.discard()
  await pending.discard()
  expect(await listFiles()).toEqual([])
})
