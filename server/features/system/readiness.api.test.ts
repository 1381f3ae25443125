import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { partsFolder } from '#data/audio-store/open-audio-store.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { makeHeartbeat } from '#testing/jobs.ts'
import { startKillableDatabase } from '#testing/killable-database.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function start(config = {}): Promise<TestServer> {
  const server = await startTestServer({ config })
  cleanUps.push(() => server.close())
  const features = (await server.call(api.system.languages)).data.features
  await recordHeartbeat(server.services.database.connection, 'engine', makeHeartbeat(features))
  return server
}

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-ready-'))
  cleanUps.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Mounts a 1 MB disk; returns undefined if this user is not allowed to mount. */
async function mountSmallDisk(): Promise<string | undefined> {
  const folder = await makeFolder()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status !== 0) return undefined
  cleanUps.push(() => spawnSync('umount', [folder]))
  return folder
}

async function readChecks(server: TestServer) {
  const answer = await fetch(`${server.url}/readyz`)
  const { status, checks } = api.system.ready.response.parse(await answer.json())
  return { http: answer.status, status, checks }
}

test('is ready when every check passes', async () => {
  const { http, status, checks } = await readChecks(await start())
  expect([http, status]).toEqual([200, 'ready'])
  expect(Object.keys(checks).toSorted()).toEqual([
    'audio_store',
    'data_folder',
    'database',
    'engine',
    'mail',
    'models',
    'speech_servers',
    'translation_servers',
  ])
})

test('is not ready while the database is unavailable, and healthz still answers 200', async () => {
  const database = await startKillableDatabase()
  cleanUps.push(() => database.remove())
  vi.stubEnv('MONGODB_URI', database.uri)
  cleanUps.push(() => vi.unstubAllEnvs())
  const server = await start()
  await database.stop()
  const { http, checks } = await readChecks(server)
  expect(http).toBe(503)
  expect(checks.database).toMatchObject({ ok: false })
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

test('is not ready on a full or a read-only disk, and says which', async (context) => {
  const disk = await mountSmallDisk()
  if (!disk) return context.skip('This machine lets no test mount a file system.')
  const server = await start({ dataDir: disk })
  await writeFile(join(disk, 'filler'), Buffer.alloc(900_000))
  expect((await readChecks(server)).checks).toMatchObject({
    data_folder: { ok: false, message: 'the disk is full' },
    audio_store: { ok: false, message: 'the disk is full' },
  })
  spawnSync('mount', ['-o', 'remount,ro', disk])
  const { http, checks } = await readChecks(server)
  expect(http).toBe(503)
  expect(checks.data_folder).toEqual({ ok: false, message: 'the disk is read-only' })
})

test('is not ready while too little room is left for uploads', async (context) => {
  const disk = await mountSmallDisk()
  if (!disk) return context.skip('This machine lets no test mount a file system.')
  const { http, checks } = await readChecks(await start({ dataDir: disk }))
  expect(http).toBe(503)
  expect(checks.audio_store).toEqual({ ok: false, message: 'too little room is left: uploads are refused' })
})

test('is not ready when a file is in the place of the recordings folder', async () => {
  const server = await start()
  const audio = dirname(partsFolder(server.config))
  await rm(audio, { recursive: true, force: true })
  await writeFile(audio, 'a file')
  const { http, checks } = await readChecks(server)
  expect(http).toBe(503)
  expect(checks.audio_store).toMatchObject({ ok: false, message: 'the folder is a file' })
})

test('creates a missing recordings folder', async () => {
  const server = await start()
  await rm(join(server.config.dataDir, 'audio'), { recursive: true })
  expect((await readChecks(server)).http).toBe(200)
})

test('says that the mail server does not answer, and stays ready', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const address = closed.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await new Promise((resolve) => closed.close(resolve))
  const server = await start({ smtpUrl: `smtp://127.0.0.1:${port}` })
  const { http, status, checks } = await readChecks(server)
  expect([http, status]).toEqual([200, 'ready'])
  const failed = { ok: false, message: 'the mail server does not answer' }
  expect(checks.mail).toEqual(failed)
  const { accessToken: token } = await server.createSignedIn({ role: 'admin' })
  expect((await server.call(api.system.status, { token })).data.mail).toEqual(failed)
})

test('is not ready while no engine runs', async () => {
  const server = await startTestServer()
  cleanUps.push(() => server.close())
  const { http, checks } = await readChecks(server)
  expect(http).toBe(503)
  expect(checks.engine).toEqual({ ok: false, message: 'none is running' })
})
