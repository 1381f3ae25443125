import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultMaxUploadBytes } from '#contract/entities/recording.ts'
import { silence, sine, wavHeader, writeWav } from '#testing/audio.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { listAudioFiles, makeDialogue, readBytes, upload } from '#testing/uploads.ts'

let server: TestServer
let token: string
let folder: string

beforeAll(async () => {
  server = await startTestServer({ isEachUploadMeasured: true })
  token = (await server.createSignedIn()).accessToken
  folder = await mkdtemp(join(tmpdir(), 'awaz-upload-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function makeFile(name: string, args: string): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(folder, name)
  await promisify(execFile)((await findFfmpeg()).path, ['-v', 'error', '-y', ...args.split(' '), path])
  return readBytes(path)
}

/** Returns a file of the given size: silence in stereo. */
function wavOfSize(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(sizeBytes)
  content.set(wavHeader(sizeBytes - 44, 2, 48_000))
  return content
}

test('responds with what was measured', async () => {
  const { status, body } = await upload(server, token, { name: 'call.wav', content: makeDialogue() })
  expect(status).toBe(201)
  expect(body).toMatchObject({ name: 'call.wav', duration: 2, is_stereo: true, channels: 2 })
  expect(body.peaks.map((channel) => channel.length)).toEqual([50, 50])
})

test('a file that was uploaded before is told, to the same user alone', async () => {
  const content = makeDialogue()
  const { accessToken } = await server.createSignedIn()
  const first = await upload(server, accessToken, { name: 'first.wav', content })
  const again = await upload(server, accessToken, { name: 'again.wav', content })
  expect([first.body.duplicate_of, again.body.duplicate_of]).toEqual([
    null,
    { id: first.body.file_id, name: 'first.wav' },
  ])
  await server.call(api.recordings.remove, { params: { id: first.body.file_id }, token: accessToken })
  const third = await upload(server, accessToken, { name: 'third.wav', content })
  expect(third.body.duplicate_of).toMatchObject({ name: 'again.wav' })
  const other = await upload(server, (await server.createSignedIn()).accessToken, { name: 'other.wav', content })
  expect(other.body.duplicate_of).toBeNull()
})

test('one voice on both channels is no dialogue', async () => {
  const path = join(folder, 'both.wav')
  const voice = sine(1000)
  await writeWav(path, [voice, voice])
  const { body } = await upload(server, token, { name: 'both.wav', content: await readBytes(path) })
  expect(body).toMatchObject({ is_stereo: false, channels: 2, duration: 1 })
})

test('a recording of four channels is told as such and not as two speakers', async () => {
  const path = join(folder, 'four.wav')
  await writeWav(
    path,
    [400, 700, 1100, 1600].map((hz) => sine(1000, { hz })),
  )
  const { status, body } = await upload(server, token, { name: 'four.wav', content: await readBytes(path) })
  expect(status).toBe(201)
  expect(body).toMatchObject({ is_stereo: false, channels: 4, duration: 1 })
  expect(body.peaks).toHaveLength(1)
})

test('a Pashto file name comes back as it was', async () => {
  const path = join(folder, 'tone.wav')
  await writeWav(path, [sine(500)])
  const { body } = await upload(server, token, { name: 'د ښوونځي غږ ۍ.wav', content: await readBytes(path) })
  expect(body.name).toBe('د ښوونځي غږ ۍ.wav')
  const { data } = await server.call(api.recordings.get, { params: { id: body.file_id }, token })
  expect(data.name).toBe('د ښوونځي غږ ۍ.wav')
})

test(
  'exactly 104857600 bytes are taken, one more is refused with a sentence and leaves nothing',
  { timeout: 180_000 },
  async () => {
    const taken = await upload(server, token, { name: 'large.wav', content: wavOfSize(defaultMaxUploadBytes) })
    expect(taken.body).toMatchObject({ size: defaultMaxUploadBytes, duration: 546.133 })
    const before = await listAudioFiles(server)
    const refused = await upload(server, token, { name: 'larger.wav', content: wavOfSize(defaultMaxUploadBytes + 1) })
    expect(refused).toMatchObject({ status: 413, body: { code: 'upload_too_large' } })
    expect(refused.body.error).toContain('104857600')
    expect(await listAudioFiles(server)).toEqual(before)
  },
)

test('MAX_UPLOAD_MB takes larger recordings, or smaller ones only, and tells the web app', async () => {
  const own = await startTestServer({ config: { maxUploadBytes: 2 * 1024 * 1024 } })
  onTestFinished(() => own.close())
  const { accessToken } = await own.createSignedIn()
  expect((await own.call(api.system.config)).data.max_upload_bytes).toBe(2_097_152)
  expect((await upload(own, accessToken, { name: 'small.wav', content: wavOfSize(2_097_152) })).status).toBe(201)
  const refused = await upload(own, accessToken, { name: 'larger.wav', content: wavOfSize(2_097_153) })
  expect(refused).toMatchObject({ status: 413, body: { error: expect.stringContaining('2097152 bytes (2 MB)') } })
})

test('a client that leaves in the middle leaves no file', async () => {
  const before = await listAudioFiles(server)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const part = 'Content-Disposition: form-data; name="audio"; filename="left.wav"\r\nContent-Type: audio/wav'
  socket.write(
    `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Length: 5000000\r\n` +
      `Content-Type: multipart/form-data; boundary=edge\r\n\r\n--edge\r\n${part}\r\n\r\n`,
  )
  socket.write(wavOfSize(1_000_000))
  await vi.waitFor(async () => expect((await listAudioFiles(server)).length).toBe(before.length + 1))
  socket.destroy()
  await vi.waitFor(async () => expect(await listAudioFiles(server)).toEqual(before))
})

test('a recording in another format than its name says is taken, and played as what it is', async () => {
  const flac = await makeFile('whole.flac', '-f lavfi -i sine=d=1')
  const { status, body } = await upload(server, token, { name: 'call.mp3', content: flac })
  expect({ status, name: body.name }).toEqual({ status: 201, name: 'call.mp3' })
  const played = await fetch(`${server.url}/api/audio/${body.file_id}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(played.headers.get('content-type')).toBe('audio/flac')
})

test('a bad file is a 4xx with a sentence and leaves nothing', { timeout: 120_000 }, async () => {
  const text = new TextEncoder()
  const m4a = await makeFile('whole.m4a', '-f lavfi -i sine=d=5 -c:a aac')
  const silentVideo = await makeFile('silent.mp4', '-f lavfi -i color=d=1:s=16x16 -c:v mpeg4')
  await writeFile(join(folder, 'secret.wav'), 'x')
  const playlist = text.encode(`#EXTM3U\n#EXTINF:1,\n${join(folder, 'secret.wav')}\n`)
  const bad: [string, Uint8Array<ArrayBuffer>, number, string][] = [
    ['empty.mp3', new Uint8Array(), 422, 'unreadable_audio'],
    ['text.mp3', text.encode('This is not music. '.repeat(50)), 415, 'unsupported_audio'],
    ['playlist.mp3', playlist, 415, 'unsupported_audio'],
    ['fragment.wav', makeDialogue().slice(0, 3000), 422, 'unreadable_audio'],
    ['cut.m4a', m4a.slice(0, 3000), 422, 'unreadable_audio'],
    ['silent.mp4', silentVideo, 422, 'no_audio'],
    ['call.exe', makeDialogue(), 415, 'unsupported_audio'],
    ['no-ending', makeDialogue(), 415, 'unsupported_audio'],
    ['noise.flac', new Uint8Array([...text.encode('fLaC'), ...Array(500).fill(7)]), 422, 'unreadable_audio'],
    ['no-samples.wav', new Uint8Array(wavHeader(0, 1)), 422, 'no_audio'],
  ]
  const before = await listAudioFiles(server)
  for (const [name, content, status, code] of bad) {
    const answer = await upload(server, token, { name, content })
    expect({ name, status: answer.status, code: answer.body.code }).toEqual({ name, status, code })
    expect(answer.body.error.length).toBeGreaterThan(10)
  }
  expect(await listAudioFiles(server)).toEqual(before)
})

test('a form without the field, and what is no form, are refused', async () => {
  const wrongField = await upload(server, token, { name: 'a.wav', content: new Uint8Array(9), field: 'file' })
  expect(wrongField).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  const noForm = await fetch(new URL('/api/upload', server.url), {
    method: 'POST',
    body: 'hello',
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(noForm.status).toBe(400)
  expect(await noForm.json()).toMatchObject({ error: 'Please upload an audio file first' })
})

test('a file whose length was not announced is held against the quota all the same', async () => {
  const small = await startTestServer({ config: { quotaBytes: 1000 } })
  try {
    const { accessToken } = await small.createSignedIn()
    const form = new FormData()
    form.append('audio', new Blob([makeDialogue()]), 'call.wav')
    const { body, headers } = new Response(form)
    const response = await fetch(new URL(api.audio.upload.path, small.url), {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': headers.get('Content-Type') ?? '' },
    })
    expect([response.status, (await response.json()) as unknown]).toEqual([
      507,
      expect.objectContaining({ code: 'disk_full' }),
    ])
    expect(await listAudioFiles(small)).toEqual([])
  } finally {
    await small.close()
  }
})

test('a name keeps joiners and loses what turns the direction of letters round', async () => {
  const named = { name: 'می\u200cخواهم\u202evaw.exe.wav', content: makeDialogue() }
  expect((await upload(server, token, named)).body.name).toBe('می\u200cخواهمvaw.exe.wav')
})

test('a user above the quota is refused before the file is sent', async () => {
  const small = await startTestServer({ config: { quotaBytes: 1000 } })
  try {
    const user = await small.createSignedIn()
    const answer = await upload(small, user.accessToken, { name: 'a.wav', content: new Uint8Array(2000) })
    expect(answer).toMatchObject({ status: 507, body: { code: 'disk_full' } })
  } finally {
    await small.close()
  }
})

test('plays the file whole, in parts and not beyond its end', async () => {
  const content = Buffer.from(makeDialogue())
  const { body } = await upload(server, token, { name: 'play.wav', content: new Uint8Array(content) })
  async function get(headers: Record<string, string>) {
    const response = await fetch(new URL(`/api/audio/${body.file_id}`, server.url), {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  expect((await server.call(api.audio.play, { params: { id: body.file_id }, token })).status).toBe(200)
  const whole = await get({})
  expect(whole.status).toBe(200)
  expect(whole.headers.get('Content-Type')).toBe('audio/wav')
  expect(whole.headers.get('Accept-Ranges')).toBe('bytes')
  expect(whole.bytes.equals(content)).toBe(true)
  const part = await get({ Range: 'bytes=100-199' })
  expect(part.status).toBe(206)
  expect(part.headers.get('Content-Range')).toBe(`bytes 100-199/${content.length}`)
  expect(part.bytes.equals(content.subarray(100, 200))).toBe(true)
  const beyond = await get({ Range: `bytes=${content.length}-` })
  expect(beyond.status).toBe(416)
  expect(beyond.headers.get('Content-Range')).toBe(`bytes */${content.length}`)
  const etag = whole.headers.get('ETag') ?? ''
  expect((await get({ 'If-None-Match': etag, 'Cache-Control': 'max-age=0' })).status).toBe(304)
  expect((await get({ Range: 'bytes=0-9', 'If-Range': etag })).status).toBe(206)
  expect((await get({ Range: 'bytes=0-9', 'If-Range': '"other"' })).status).toBe(200)
})

test('a silent recording is a recording', async () => {
  const path = join(folder, 'silent.wav')
  await writeWav(path, [silence(700)])
  const { body } = await upload(server, token, { name: 'silent.wav', content: await readBytes(path) })
  expect(body).toMatchObject({ duration: 0.7, channels: 1, is_stereo: false })
  expect(Math.max(...body.peaks.flat())).toBe(0)
})
