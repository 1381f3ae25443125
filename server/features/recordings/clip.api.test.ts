import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { mix, silence, sine, testRate, writeWav } from '#testing/audio.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { readBytes, upload } from '#testing/uploads.ts'

type ClipQuery = QueryInput<typeof api.recordings.clip>

let server: TestServer
let folder: string
let content: Uint8Array<ArrayBuffer>
let user: SignedInUser
let id: string

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'awaz-clip-test-'))
  const path = join(folder, 'call.wav')
  // Left: 1 kHz from 1 s to 2 s. Right: 3 kHz from 3 s to 4 s.
  const left = mix(silence(6000), [{ sound: sine(1000, { hz: 1000, db: -9 }), atMs: 1000 }])
  const right = mix(silence(6000), [{ sound: sine(1000, { hz: 3000, db: -15 }), atMs: 3000 }])
  await writeWav(path, [left, right])
  content = await readBytes(path)
  user = await server.createSignedIn()
})
beforeEach(async () => {
  vi.unstubAllEnvs()
  id = (await upload(server, user.accessToken, { name: 'Kabul قندهار.wav', content })).body.file_id
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function request(query: ClipQuery = {}, { accessToken: token } = user) {
  return server.call(api.recordings.clip, { params: { id }, query, token })
}

async function fetchClip(query: ClipQuery): Promise<{ headers: Headers; bytes: Uint8Array<ArrayBuffer> }> {
  const url = new URL(api.recordings.clip.path.replace(':id', id), server.url)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value))
  const response = await fetch(url, { headers: { Authorization: `Bearer ${user.accessToken}` } })
  expect(response.status).toBe(200)
  return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** Uploads a clip. Returns its length and, for each channel, the loudest frequency in kHz of each fifth of a second from `fromSeconds`. */
async function measure(clip: Uint8Array<ArrayBuffer>, fromSeconds = 0) {
  const { duration, file_id: clipId } = (await upload(server, user.accessToken, { name: 'clip.mp3', content: clip }))
    .body
  const query = { from: fromSeconds, columns: Math.round((duration - fromSeconds) * 5) }
  const params = { id: clipId }
  const { data } = await server.call(api.recordings.spectrogram, { params, query, token: user.accessToken })
  const loudest = data.channels.map((levels) => {
    const bytes = Buffer.from(levels, 'base64')
    return Array.from({ length: data.columns }, (_, column) => {
      const cell = [...bytes.subarray(column * data.rows, (column + 1) * data.rows)]
      const highest = Math.max(...cell)
      return highest < 60 ? null : (cell.indexOf(highest) * data.max_hz) / data.rows / 1000
    })
  })
  return { duration, loudest }
}

test('an MP3 clip is as long as the part, has its sound at its time, and is named after recording and times', async () => {
  const { headers, bytes } = await fetchClip({ from: 1.7, to: 3.7 })
  expect(headers.get('Content-Type')).toBe('audio/mpeg')
  expect(headers.get('Content-Length')).toBe(String(bytes.length))
  expect(headers.get('Content-Disposition')).toContain(
    `filename*=UTF-8''${encodeURIComponent('Kabul قندهار 00.00.01-00.00.03.mp3')}`,
  )
  const { duration, loudest } = await measure(bytes)
  expect(Math.abs(duration - 2)).toBeLessThan(0.05)
  expect(loudest).toEqual([
    [1, 1, null, null, null, null, null, null, null, null],
    [null, null, null, null, null, null, 3, 3, 3, 3],
  ])
})

test('a part of an MP3 recording has its sound from the beginning', async () => {
  const { bytes } = await fetchClip({})
  expect((await measure(bytes, 3.1)).loudest[1]?.slice(0, 6)).toEqual([3, 3, 3, 3, 3, null])
})

test('a WAV clip has the samples of the recording', async () => {
  const { bytes } = await fetchClip({ from: 1.5, to: 3.5, format: 'wav' })
  const at = (seconds: number) => 44 + seconds * testRate * 4
  expect(Buffer.from(bytes.subarray(44)).equals(content.subarray(at(1.5), at(3.5)))).toBe(true)
})

test('a clip of one channel has only its sound', async () => {
  const { bytes } = await fetchClip({ from: 3, to: 4, channel: 'right' })
  expect((await measure(bytes)).loudest).toEqual([[3, 3, 3, 3, 3]])
})

test('a telephone call at 8 kHz is as long as its part too', async () => {
  const path = join(folder, 'telephone.wav')
  await writeWav(path, [sine(4000, { hz: 1000, db: -9 })], testRate / 2)
  id = (await upload(server, user.accessToken, { name: 'telephone.wav', content: await readBytes(path) })).body.file_id
  const { bytes } = await fetchClip({ from: 2, to: 5 })
  expect(Math.abs((await measure(bytes)).duration - 3)).toBeLessThan(0.05)
  expect((await request({ channel: 'left' })).error.details).toEqual(['This recording has only one channel'])
})

test.each<[ClipQuery]>([[{ from: 2, to: 2 }], [{ from: 6 }], [{ from: -1 }], [{ channel: 'left', to: 0 }]])(
  'rejects %j',
  async (query) => {
    expect((await request(query)).error.code).toBe('invalid_input')
  },
)

test('a clip is at most half an hour long', async () => {
  const connection = server.services.database.connection
  ;({ id } = await storeDocument(connection, { ownerId: user.id, durationMs: 1_800_001 }))
  expect((await request()).error.details).toEqual(['A clip can be at most 30 minutes long'])
  expect((await request({ from: 1 })).error.code).toBe('not_found')
})

test('nobody else gets a clip', async () => {
  expect((await request({}, await server.createSignedIn())).error.code).toBe('not_found')
})

test('the owner sees in the activity that a clip was saved', async () => {
  await fetchClip({ from: 1, to: 2 })
  const { data } = await server.call(api.activity.ofRecording, { params: { id }, token: user.accessToken })
  expect(data.entries).toContainEqual(expect.objectContaining({ action: 'recording.export', details: 'clip, mp3' }))
})

test('an ffmpeg without an MP3 encoder is named, and WAV clips can still be saved', async () => {
  const path = join(folder, 'ffmpeg')
  // Replaces the encoder's name in the arguments with one that the real ffmpeg does not know.
  const { path: real } = await findFfmpeg()
  const script = `#!/bin/bash\nexec '${real}' "\${@/libmp3lame/missing}"\n`
  await writeFile(path, script)
  await chmod(path, 0o755)
  vi.stubEnv('FFMPEG_PATH', path)
  expect((await request({ format: 'mp3' })).error).toMatchObject({
    code: 'unavailable',
    error: 'The ffmpeg of this server cannot write MP3 files.',
  })
  await fetchClip({ format: 'wav' })
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
