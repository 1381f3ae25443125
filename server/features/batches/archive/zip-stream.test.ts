import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { readZip } from '#testing/read-zip.ts'
import { streamZip, type ArchiveFile } from './zip-stream.ts'

const oneMegabyte = randomBytes(1024 * 1024)

/** Makes files without end, and counts them. */
function endlessFiles() {
  const made = { count: 0, hasStopped: false }
  async function* make(): AsyncGenerator<ArchiveFile> {
    try {
      for (;;) {
        made.count += 1
        yield { name: `${made.count}.bin`, content: oneMegabyte }
      }
    } finally {
      made.hasStopped = true
    }
  }
  return { made, files: make() }
}

async function turns(count: number) {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}

test('an archive holds the files by their names, of any script', async () => {
  async function* files(): AsyncGenerator<ArchiveFile> {
    yield { name: 'سلام.txt', content: 'سلام' }
    yield { name: 'empty.txt', content: '' }
    yield { name: 'call.json', content: Buffer.from('{}') }
  }
  const archive = await buffer(streamZip(files(), new AbortController().signal))
  expect([...readZip(archive)]).toEqual([
    ['سلام.txt', 'سلام'],
    ['empty.txt', ''],
    ['call.json', '{}'],
  ])
})

test('without a reader the next files are not made', async () => {
  const stop = new AbortController()
  const { made, files } = endlessFiles()
  streamZip(files, stop.signal)
  await turns(200)
  expect(made.count).toBeLessThan(4)
  stop.abort()
})

test('files are no longer made once the reader has gone', async () => {
  const stop = new AbortController()
  const { made, files } = endlessFiles()
  const archive = streamZip(files, stop.signal)
  archive.resume()
  while (made.count < 3) await nextTurn()
  stop.abort()
  while (!made.hasStopped) await nextTurn()
  const { count } = made
  await turns(50)
  expect(made.count).toBe(count)
})

test('an archive whose files fail ends with the failure', async () => {
  async function* files(): AsyncGenerator<ArchiveFile> {
    yield { name: 'call.txt', content: 'text' }
    throw new Error('The database cannot be reached')
  }
  await expect(buffer(streamZip(files(), new AbortController().signal))).rejects.toThrow('cannot be reached')
})
