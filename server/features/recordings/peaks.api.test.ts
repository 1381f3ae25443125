import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { findWaveform, removeWaveform, storeWaveform } from '#data/recordings/waveforms.ts'
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
  folder = await mkdtemp(join(tmpdir(), 'awaz-peaks-'))
  const path = join(folder, 'call.wav')
  // Left: loud from 1 s to 2 s. Right: a little quieter from 3.5 s to 4 s.
  const left = mix(silence(6000), [{ sound: sine(1000, { db: -9 }), atMs: 1000 }])
  const right = mix(silence(6000), [{ sound: sine(500, { db: -15 }), atMs: 3500 }])
  await writeWav(path, [left, right])
  content = await readBytes(path)
})
beforeEach(async () => {
  user = await server.createSignedIn()
  id = (await upload(server, user.accessToken, { name: 'call.wav', content })).body.file_id
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const connection = () => server.services.work.connection

function requestPeaks(query: QueryInput<typeof api.recordings.peaks> = {}, headers: Record<string, string> = {}) {
  return server.call(api.recordings.peaks, { params: { id }, query, token: user.accessToken, headers })
}

async function readPeaks(query: QueryInput<typeof api.recordings.peaks>): Promise<number[][]> {
  const { data } = await requestPeaks(query)
  return data.channels.map((heights) => [...Buffer.from(heights, 'base64')])
}

/** Removes the stored waveform: recordings from older versions have none. */
const forgetWaveform = () => removeWaveform(connection(), user.id, id)
const hasWaveform = async () => (await findWaveform(connection(), user.id, id)) !== null

test('shows where each channel is loud', async () => {
  const { data } = await requestPeaks({ bins: 12 })
  expect(data).toMatchObject({ from: 0, to: 6, bins: 12 })
  const [left = [], right = []] = await readPeaks({ bins: 12 })
  const loud = (heights: number[]) => heights.flatMap((height, bin) => (height > 0 ? [bin] : []))
  expect(loud(left)).toEqual([2, 3])
  expect(loud(right)).toEqual([7])
  // 255 times the square root of the amplitudes 0.50 and 0.25.
  expect(left[2]).toBeCloseTo(180, -1)
  expect(right[7]).toBeCloseTo(128, -1)
})

test('a range has its own bins, which begin and end where it does', async () => {
  const [left] = await readPeaks({ from: 0.98, to: 1.04, bins: 3 })
  expect(left?.map((height) => height > 0)).toEqual([false, true, true])
  const [, right] = await readPeaks({ from: 3.96, to: 4.02, bins: 3 })
  expect(right?.map((height) => height > 0)).toEqual([true, true, false])
})

test('bins narrower than 20 ms repeat the height they lie in', async () => {
  const [left = []] = await readPeaks({ from: 0.99, to: 1.01, bins: 4 })
  expect(left.map((height) => height > 0)).toEqual([false, false, true, true])
})

test('the range ends with the recording', async () => {
  const { data } = await requestPeaks({ from: 5, to: 60, bins: 2 })
  expect(data).toMatchObject({ from: 5, to: 6, bins: 2 })
})

test.each([
  [{ from: 2, to: 2 }],
  [{ from: 3, to: 2 }],
  [{ from: 6 }],
  [{ from: -1 }],
  [{ bins: 0 }],
  [{ bins: 4097 }],
  [{ bins: 1.5 }],
])('rejects %j', async (query) => {
  expect((await requestPeaks(query)).error.code).toBe('invalid_input')
})

test('a caller keeps the response and is told that it is still the same', async () => {
  const { headers } = await requestPeaks()
  expect(headers.get('Cache-Control')).toBe('private, no-cache')
  const etag = headers.get('ETag') ?? ''
  // As browsers send it: without the second header, fetch asks for an uncached response.
  const revalidate = (known: string) => requestPeaks({}, { 'If-None-Match': known, 'Cache-Control': 'max-age=0' })
  const again = await revalidate(etag)
  expect([again.status, again.raw]).toEqual([304, ''])
  expect((await revalidate('"another"')).status).toBe(200)
})

test('an upload stores its waveform, so that a request reads no file', async () => {
  const measure = vi.spyOn(server.services.work.probe, 'measure')
  await requestPeaks()
  expect(measure).not.toHaveBeenCalled()
  measure.mockRestore()
})

test('two first requests for an old recording measure its file once', async () => {
  const known = await readPeaks({ bins: 12 })
  await forgetWaveform()
  const measure = vi.spyOn(server.services.work.probe, 'measure')
  expect(await Promise.all([readPeaks({ bins: 12 }), readPeaks({ bins: 12 })])).toEqual([known, known])
  expect(await readPeaks({ bins: 12 })).toEqual(known)
  expect(measure).toHaveBeenCalledTimes(1)
  measure.mockRestore()
})

test('an old recording without its file has no waveform', async () => {
  await forgetWaveform()
  await server.services.work.audioStore.remove({ id, extension: 'wav' })
  expect((await requestPeaks()).error).toMatchObject({
    code: 'not_found',
    error: 'The file of this recording is missing',
  })
})

test('a deleted recording takes its waveform along', async () => {
  await server.call(api.recordings.remove, { params: { id }, token: user.accessToken })
  expect(await hasWaveform()).toBe(false)
  expect((await requestPeaks()).error.code).toBe('not_found')
})

test("deleting a user deletes the waveforms of the user's recordings", async () => {
  await server.services.work.removeUserWork(user.id)
  expect(await hasWaveform()).toBe(false)
})

test('a waveform that is measured while its recording is deleted is not stored', async () => {
  const waveform = await findWaveform(connection(), user.id, id)
  await server.call(api.recordings.remove, { params: { id }, token: user.accessToken })
  await storeWaveform(connection(), user.id, id, waveform ?? { binMs: 20, channels: [] })
  expect(await hasWaveform()).toBe(false)
})
