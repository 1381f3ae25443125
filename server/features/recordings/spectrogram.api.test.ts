import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { mix, silence, sine, writeWav } from '#testing/audio.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { readBytes, upload } from '#testing/uploads.ts'

let server: TestServer
let folder: string
let content: Uint8Array<ArrayBuffer>
let user: SignedInUser
let id: string

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'awaz-spectrogram-'))
  const path = join(folder, 'call.wav')
  // Left: 1 kHz from 1 s to 2 s. Right: 3 kHz from 3 s to 4 s.
  const left = mix(silence(6000), [{ sound: sine(1000, { hz: 1000, db: -9 }), atMs: 1000 }])
  const right = mix(silence(6000), [{ sound: sine(1000, { hz: 3000, db: -15 }), atMs: 3000 }])
  await writeWav(path, [left, right])
  content = await readBytes(path)
  user = await server.createSignedIn()
})
beforeEach(async () => {
  id = (await upload(server, user.accessToken, { name: 'call.wav', content })).body.file_id
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function request(query: QueryInput<typeof api.recordings.spectrogram> = {}, headers: Record<string, string> = {}) {
  return server.call(api.recordings.spectrogram, { params: { id }, query, token: user.accessToken, headers })
}

/** Returns, for each channel, the loudest frequency in kHz of each column, or null if the column is silent. */
async function loudest(query: QueryInput<typeof api.recordings.spectrogram>) {
  const { data } = await request(query)
  return data.channels.map((levels) => {
    const bytes = Buffer.from(levels, 'base64')
    return Array.from({ length: data.columns }, (_, column) => {
      const cell = [...bytes.subarray(column * data.rows, (column + 1) * data.rows)]
      const highest = Math.max(...cell)
      return highest < 40 ? null : (cell.indexOf(highest) * data.max_hz) / data.rows / 1000
    })
  })
}

test('shows which frequencies each channel has, and when', async () => {
  const { data } = await request({ columns: 6 })
  expect(data).toMatchObject({ from: 0, to: 6, columns: 6, rows: 128, max_hz: 8000 })
  const [left, right] = await loudest({ columns: 12 })
  expect(left?.slice(2, 4)).toEqual([1, 1])
  expect(left?.slice(5)).toEqual([null, null, null, null, null, null, null])
  expect(right?.slice(0, 5)).toEqual([null, null, null, null, null])
  expect(right?.slice(6, 8)).toEqual([3, 3])
})

test('a part begins and ends where it should', async () => {
  const [left, right] = await loudest({ from: 1.5, to: 3.5, columns: 4 })
  expect([left?.[0], left?.[2]]).toEqual([1, null])
  expect([right?.[1], right?.[3]]).toEqual([null, 3])
})

test.each([[{ from: 2, to: 2 }], [{ from: 6 }], [{ from: -1 }], [{ columns: 0 }], [{ columns: 2049 }]])(
  'rejects %j',
  async (query) => {
    expect((await request(query)).error.code).toBe('invalid_input')
  },
)

test('a caller keeps the response and is told that it is still the same', async () => {
  const { headers } = await request()
  // As browsers send it: without the second header, fetch asks for an uncached response.
  const again = await request({}, { 'If-None-Match': headers.get('ETag') ?? '', 'Cache-Control': 'max-age=0' })
  expect([again.status, again.raw]).toEqual([304, ''])
})

test('a recording whose file is damaged on the disk is unreadable, one without its file is not found', async () => {
  const file = { id, extension: 'wav' }
  const { path, release } = await server.services.work.audioStore.open(file)
  await writeFile(path, 'this is no sound any more')
  await release()
  expect((await request()).error.code).toBe('unreadable_audio')
  await server.services.work.audioStore.remove(file)
  expect((await request()).error.code).toBe('not_found')
})
