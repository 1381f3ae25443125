import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { partsFolder } from '#data/audio-store/open-audio-store.ts'
import { findFfmpeg } from '#engine/audio/ffmpeg.ts'
import { wavHeader } from '#testing/audio.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { listAudioFiles, makeDialogue, readBytes, upload } from '#testing/uploads.ts'

let server: TestServer
let folder: string
let user: SignedInUser
/** Two hours of silence: 1.4 MB, or 230 MB decoded. */
let silence: Uint8Array<ArrayBuffer>
/** Half an hour: long enough for a test to act while it is being measured. */
let briefSilence: Uint8Array<ArrayBuffer>
const call = { name: 'call.wav', content: makeDialogue() }

beforeAll(async () => {
  server = await startTestServer({ isEachUploadMeasured: true, config: { maxAudioMs: 2 * 3_600_000 } })
  user = await server.createSignedIn()
  folder = await mkdtemp(join(tmpdir(), 'awaz-hostile-'))
  silence = await makeSilence('silence.flac', 7_200)
  briefSilence = await makeSilence('brief.flac', 1_800)
})
afterEach(async () => {
  const [files, recordings] = await Promise.all([listAudioFiles(server), countRecordings()])
  if (files.length !== recordings) throw new Error(`${files.length} files for ${recordings} recordings`)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function makeSilence(name: string, seconds: number): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(folder, name)
  const input = ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', String(seconds)]
  await promisify(execFile)((await findFfmpeg()).path, ['-nostdin', '-v', 'error', ...input, path])
  return readBytes(path)
}

function countRecordings(): Promise<number> {
  return server.services.database.connection.collection('recordings').countDocuments({ deletedAt: null })
}

/** Returns the id of a running process whose command line contains the program and the data folder of this test. */
function findProcess(program: string): number | undefined {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      if (words.includes(program) && words.includes(server.config.dataDir)) return Number(pid)
    } catch {
      // It has ended in the meantime.
    }
  }
  return undefined
}

async function waitForProcess(program: string): Promise<number> {
  return vi.waitFor(
    () => {
      const pid = findProcess(program)
      if (pid === undefined) throw new Error(`${program} does not run`)
      return pid
    },
    { timeout: 20_000, interval: 10 },
  )
}

/** CPU time of child processes that have ended, and of their children (proc(5): cutime and cstime, in hundredths). */
function childrenCpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / 100
}

async function folderBytes(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name))
        .then((info) => info.size)
        .catch(() => 0),
    )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

test('a small file of many hours takes no room while it is measured, and others upload meanwhile', async () => {
  let largest = 0
  const measuring = setInterval(() => {
    void folderBytes(server.config.dataDir).then((bytes) => (largest = Math.max(largest, bytes)))
  }, 50)
  const other = await server.createSignedIn()
  const slow = upload(server, user.accessToken, { name: 'silence.flac', content: silence })
  await waitForProcess('ffmpeg')
  expect((await upload(server, other.accessToken, call)).status).toBe(201)
  expect(findProcess('probe-main')).toBeDefined() // the other upload did not wait for it
  expect(await slow).toMatchObject({ status: 201, body: { duration: 7_200 } })
  clearInterval(measuring)
  expect(largest).toBeLessThan(silence.length + call.content.length + 5_000_000)
})

test('a recording above MAX_AUDIO_HOURS is refused with what to do', async () => {
  const content = await makeSilence('long.flac', 7_201)
  expect(await upload(server, user.accessToken, { name: 'long.flac', content })).toMatchObject({
    status: 415,
    body: {
      code: 'unsupported_audio',
      error: 'The recording is longer than 2 hours.',
      help: 'Cut it into shorter parts.',
    },
  })
})

test('a WAV of 1 Hz is refused and costs next to nothing', async () => {
  const samples = 7_000
  const content = new Uint8Array(44 + samples * 2).map((_, at) => (at * 7919) % 256)
  content.set(wavHeader(samples * 2, 1, 1))
  const before = childrenCpuSeconds()
  const answer = await upload(server, user.accessToken, { name: 'hertz.wav', content })
  expect(answer.body.code).toBe('unsupported_audio')
  expect(answer.status).toBe(415)
  expect(childrenCpuSeconds() - before).toBeLessThan(3)
})

test.each(['probe-main', 'ffmpeg'])(
  'a %s that is killed is 503 with a sentence, and the next upload works',
  async (program) => {
    const answer = upload(server, user.accessToken, { name: 'silence.flac', content: briefSilence })
    process.kill(await waitForProcess(program), 'SIGKILL')
    expect(await answer).toMatchObject({
      status: 503,
      body: {
        code: 'unavailable',
        error: expect.stringMatching(/^Reading the recording was interrupted\. Please (try|upload it) again\.$/),
      },
    })
    await vi.waitFor(() => expect(findProcess('ffmpeg')).toBeUndefined())
    expect((await upload(server, user.accessToken, call)).status).toBe(201)
  },
)

const sessionsOf = (userId: string) => ({ userId: toId(userId) })
const endings: [name: string, end: (userId: string) => Promise<unknown>][] = [
  ['deleted', (id) => server.call(api.superAdmin.deleteUser, { params: { id }, token: boss.accessToken })],
  [
    'deactivated',
    (id) => server.call(api.admin.setStatus, { params: { id }, body: { is_active: false }, token: boss.accessToken }),
  ],
  ['signed out everywhere', (id) => server.services.sessions.endAll(id)],
  [
    'signed out by another server',
    (id) => server.services.database.connection.collection('sessions').deleteMany(sessionsOf(id)),
  ],
]
let boss: SignedInUser
const toId = (id: string) => server.services.database.connection.base.Types.ObjectId.createFromHexString(id)

test.each(endings)('an upload of a user who is %s meanwhile is refused and leaves nothing', async (_, end) => {
  boss = await server.createSignedIn({ role: 'super_admin' })
  const leaving = await server.createSignedIn()
  const answer = upload(server, leaving.accessToken, { name: 'silence.flac', content: briefSilence })
  await waitForProcess('probe-main')
  await end(leaving.id)
  expect(await answer).toMatchObject({ status: 401, body: { code: 'session_expired' } })
  const recordings = server.services.database.connection.collection('recordings')
  expect(await recordings.countDocuments({ ownerId: toId(leaving.id) })).toBe(0)
})

test('a session that ends while the document is written takes the recording with it', async () => {
  const leaving = await server.createSignedIn()
  const { connection } = server.services.database
  const { sessions } = server.services.work
  const isLive = sessions.isLive.bind(sessions)
  // Another server ends the session right after the last check before the document is written.
  vi.spyOn(sessions, 'isLive').mockImplementationOnce(async (userId, sessionId) => {
    const wasLive = await isLive(userId, sessionId)
    await connection.collection('sessions').deleteMany(sessionsOf(userId))
    return wasLive
  })
  expect((await upload(server, leaving.accessToken, call)).status).toBe(401)
  expect(await connection.collection('recordings').countDocuments({ ownerId: toId(leaving.id) })).toBe(0)
})

test('a deleted audio folder is created again; where that fails uploads answer 503, and readyz reports it', async () => {
  const lonely = await startTestServer()
  try {
    const { accessToken } = await lonely.createSignedIn()
    const audio = dirname(partsFolder(lonely.config))
    await rm(audio, { recursive: true, force: true })
    expect((await upload(lonely, accessToken, call)).status).toBe(201)
    await rm(audio, { recursive: true })
    await writeFile(audio, 'in the way')
    expect(await upload(lonely, accessToken, call)).toMatchObject({
      status: 503,
      body: { code: 'unavailable', error: 'Recordings cannot be stored at the moment.' },
    })
    expect((await lonely.call(api.system.ready)).raw).toMatchObject({ checks: { audio_store: { ok: false } } })
  } finally {
    await lonely.close()
  }
})

test.each(['announced', 'not announced'])(
  'parallel uploads whose length is %s never exceed the quota',
  async (kind) => {
    const size = call.content.length
    const formBytes = 1_000
    const small = await startTestServer({ isEachUploadMeasured: true, config: { quotaBytes: 3 * (size + formBytes) } })
    try {
      const { accessToken } = await small.createSignedIn()
      const send =
        kind === 'announced' ? () => upload(small, accessToken, call) : () => uploadChunked(small, accessToken)
      const answers = await Promise.all(Array.from({ length: 8 }, send))
      const taken = answers.filter(({ status }) => status === 201)
      expect(answers.filter(({ status }) => ![201, 507].includes(status))).toEqual([])
      expect(taken.length).toBeLessThanOrEqual(3)
      expect(taken.length).toBeGreaterThan(0)
      const more = await Promise.all(Array.from({ length: 3 }, () => upload(small, accessToken, call)))
      expect(taken.length + more.filter(({ status }) => status === 201).length).toBe(3)
      expect(await small.services.database.connection.collection('reservations').countDocuments({})).toBe(0)
      expect(await listAudioFiles(small)).toHaveLength(3)
    } finally {
      await small.close()
    }
  },
)

async function uploadChunked(target: TestServer, token: string) {
  const form = new FormData()
  form.append('audio', new Blob([call.content]), call.name)
  const { body, headers } = new Response(form)
  const response = await fetch(new URL(api.audio.upload.path, target.url), {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': headers.get('Content-Type') ?? '' },
  })
  return { status: response.status, body: await response.json() }
}
