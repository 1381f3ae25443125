import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { readTar } from '#engine/models/store/unpack/tar.ts'
import { assertWhole, writeTar } from './tar-writer.ts'

const files: Record<string, Buffer> = {
  'short.txt': Buffer.from('text'),
  empty: Buffer.alloc(0),
  [`${'long/'.repeat(40)}name`]: Buffer.alloc(512, 1),
  'ردیف/صوت': Buffer.alloc(70_000, 2),
}

async function* entries() {
  for (const [path, content] of Object.entries(files)) yield { path, sizeBytes: content.length, content: [content] }
}

async function* once(bytes: Buffer) {
  yield bytes.subarray(0, 3_000)
  yield bytes.subarray(3_000)
}

async function read(bytes: Buffer): Promise<Record<string, Buffer>> {
  const found: Record<string, Buffer> = {}
  const source = Readable.from(assertWhole(once(bytes)))
  await readTar(source, async (name, content) => {
    found[name] = await buffer(content)
  })
  return found
}

test('an archive holds its files under their names, and the hash of what precedes its end', async () => {
  const archive = await buffer(writeTar(entries()))
  const { 'end.sha256': end, ...found } = await read(archive)
  expect(found).toEqual(files)
  expect(String(end)).toBe(`${createHash('sha256').update(archive.subarray(0, -2048)).digest('hex')}\n`)
})

test('tar of the system lists it', async () => {
  const { stdout } = spawnSync('tar', ['-tf', '-', '--quoting-style=literal'], {
    input: await buffer(writeTar(entries())),
  })
  expect(String(stdout).trim().split('\n')).toEqual([...Object.keys(files), 'end.sha256'])
})

test('one changed bit, or one missing byte, is found anywhere', async () => {
  const archive = await buffer(writeTar(entries()))
  for (let place = 0; place < archive.length; place += 997) {
    const flipped = Buffer.from(archive)
    flipped[place] = (flipped[place] ?? 0) ^ 4
    await expect(buffer(assertWhole(once(flipped))), `bit at ${place}`).rejects.toThrow('it has changed')
  }
  await expect(buffer(assertWhole(once(archive.subarray(0, -1))))).rejects.toThrow('it ends too early')
})

test('a file that changes while it is read is an error', async () => {
  async function* changing() {
    yield { path: 'changing', sizeBytes: 3, content: [Buffer.from('four')] }
  }
  await expect(buffer(writeTar(changing()))).rejects.toThrow('changing changed while it was read')
})
