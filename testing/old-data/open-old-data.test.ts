import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '#contract/api.ts'
import { listRestorePoints } from '#data/restore-points/restore-points.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { signIn, totp } from '../accounts.ts'
import { startTestServer, type TestServer } from '../server.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { OfficeData, OldData } from './old-data.ts'

/** Collections of what people made. The others hold derived or expiring data. */
const lasting = ['users', 'recordings', 'jobs', 'keywords', 'cases', 'case_recordings', 'audit_events']
/** The data of all of these has no stored version. */
const commits = ['510f884', 'ca3c06b', '6adec32']

function readDescription(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8'))
}

/** Unpacks an archive into a new folder; returns the folder. */
async function unpack(name: string): Promise<string> {
  const dataDir = await temporaryFolder()
  execFileSync('tar', ['-xzf', join(import.meta.dirname, `${name}.tar.gz`), '-C', dataDir])
  return dataDir
}

/** Runs the current server on a data folder until `use` has finished. */
async function withServer(dataDir: string, madeAt: string, use: (server: TestServer) => Promise<void>): Promise<void> {
  const runtimeDir = await makeRuntimeFolder()
  onTestFinished(() => rm(runtimeDir, { recursive: true, force: true }))
  const dataFile = join(dataDir, 'db', 'awaz.sqlite')
  const engine = await startEmbeddedDatabase({ dataFile, socketPath: join(runtimeDir, 'db.sock') })
  try {
    const server = await startTestServer({ data: { dataDir, uri: engine.uri, dbName: 'awaz' } })
    // An authenticator code works only once, and earlier codes are refused from then on.
    server.clock.advance(Math.max(0, Date.parse(madeAt) - Date.now()) + 60_000)
    await use(server).finally(() => server.close())
  } finally {
    await engine.stop()
  }
}

async function countDocuments(server: TestServer, names: string[]): Promise<Record<string, number>> {
  const { connection } = server.services.database
  const counted = names.map(async (name) => [name, await connection.collection(name).countDocuments()] as const)
  return Object.fromEntries(await Promise.all(counted))
}

/** Expects the server to return everything that was made. */
async function expectWhole(server: TestServer, { admin, user, recordings, keywords, tags, caseName }: OldData) {
  const { access_token: token } = await signIn(server, {
    ...admin,
    totp_token: await totp(server, admin.totpSecret),
  })
  server.clock.advance(60_000)
  await signIn(server, user)

  const { data: library } = await server.call(api.library.list, { token })
  const byName = library.recordings.toSorted((a, b) => a.name.localeCompare(b.name))
  expect(byName.map(({ id, name }) => ({ id, name }))).toEqual(recordings.map(({ id, name }) => ({ id, name })))
  expect(byName[0]?.tags).toEqual(tags)
  for (const { id, sha256, words } of recordings) {
    const response = await fetch(new URL(`/api/audio/${id}`, server.url), {
      headers: { Authorization: `Bearer ${token}` },
    })
    const sound = createHash('sha256').update(Buffer.from(await response.arrayBuffer()))
    expect(sound.digest('hex')).toBe(sha256)
    const { data } = await server.call(api.recordings.get, { params: { id }, token })
    expect(data.transcription?.transcription?.split(/\s+/) ?? null).toEqual(words)
    const { data: versions } = await server.call(api.editing.listVersions, { params: { id }, token })
    expect(versions.versions.map((version) => version.word_count)).toEqual(words ? [words.length] : [])
  }
  const { data: stored } = await server.call(api.keywords.list, { token })
  expect(stored.keywords.custom.map(({ keyword }) => keyword).toSorted()).toEqual(keywords.toSorted())
  const { data: cases } = await server.call(api.cases.list, { token })
  expect(cases.cases.map(({ name }) => name)).toEqual(caseName === null ? [] : [caseName])
}

test.each(commits)('data of %s opens whole, at the first start and at the second', async (commit) => {
  const old = OldData.parse(readDescription(commit))
  const dataDir = await unpack(commit)
  const names = lasting.filter((name) => name in old.documents)
  const expected = Object.fromEntries(names.map((name) => [name, old.documents[name]]))
  await withServer(dataDir, old.madeAt, async (server) => {
    expect(await countDocuments(server, names)).toEqual(expected)
    await expectWhole(server, old)
  })
  const points = await listRestorePoints(dataDir)
  expect(points.map(({ dataVersion }) => dataVersion)).toEqual([0])
  await withServer(dataDir, old.madeAt, async (server) => {
    server.clock.advance(300_000)
    await expectWhole(server, old)
  })
  expect(await listRestorePoints(dataDir)).toEqual(points)
})

test('the data of an office of 6adec32 opens whole: 200 recordings, tags, transcripts, alerts and deliveries that wait', async () => {
  const old = OfficeData.parse(readDescription('6adec32-office'))
  const dataDir = await unpack('6adec32-office')
  await withServer(dataDir, old.madeAt, async (server) => {
    const names = [...lasting, 'alerts', 'watch_lists', 'webhooks', 'webhook_deliveries']
    const expected = Object.fromEntries(names.map((name) => [name, old.documents[name]]))
    expect(await countDocuments(server, names)).toEqual(expected)
    const { access_token: token } = await signIn(server, old.admin)
    const { data: listed } = await server.call(api.library.list, { query: { per_page: 200 }, token })
    const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
    expect(listed.recordings.map(({ id, name, tags }) => ({ id, name, tags })).toSorted(byId)).toEqual(
      old.recordings.map(({ id, name, tags }) => ({ id, name, tags })).toSorted(byId),
    )
    for (const { id, words } of old.recordings.filter((recording) => recording.words)) {
      const { data } = await server.call(api.recordings.get, { params: { id }, token })
      expect(data.transcription?.transcription?.split(/\s+/)).toEqual(words)
    }
    const { data: alerts } = await server.call(api.alerts.list, { token })
    expect(alerts.alerts.map(({ id, recording }) => ({ id, recordingId: recording.id }))).toEqual(old.alerts)
    const { data: hooks } = await server.call(api.integrations.listWebhooks, { token })
    const [hook] = hooks.webhooks
    const { data: sent } = await server.call(api.integrations.listDeliveries, { params: { id: hook?.id ?? '' }, token })
    expect(sent.deliveries.map(({ id }) => id)).toEqual(old.deliveries)
    expect(new Set(sent.deliveries.map(({ state }) => state))).toEqual(new Set(['waiting']))
  })
})
