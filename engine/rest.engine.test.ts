import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandStartedEvent } from 'mongodb'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { ActivityIntervals } from '#data/activity.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readLiveness } from '#data/engines/liveness.ts'
import { withCommandMonitoring } from '#testing/database-commands.ts'
import { createTestDatabase, openTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startTestEngine, type TestEngine } from '#testing/engine.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

/** Consecutive reads with no other commands between them: together they last longer than the interval of any loop that does not rest. */
const quietReads = 50
const activity: ActivityIntervals = { activeMs: 50, restMs: 100, activeForMs: 2_000 }

let direct: TestDatabase
let dataDir: string
let server: TestServer
let engine: TestEngine
let engineDatabase: TestDatabase
const commands: Record<'server' | 'engine', string[]> = { server: [], engine: [] }

function record(connection: DatabaseConnection, into: string[]): void {
  connection.getClient().on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
    into.push(`${commandName} ${String(command[commandName])}`)
  })
}

/** Returns the settings of a separate connection whose commands the driver reports. */
const monitored = () => ({ uri: withCommandMonitoring(direct.uri), dbName: direct.dbName })

beforeAll(async () => {
  direct = await createTestDatabase({ isEmbedded: true })
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-rest-'))
  server = await startTestServer({ data: { dataDir, ...monitored() }, activity })
  server.services.webhooks.start(server.services.activity)
  record(server.services.database.connection, commands.server)
  engineDatabase = await openTestDatabase(monitored())
  record(engineDatabase.connection, commands.engine)
  engine = await startTestEngine({ connection: engineDatabase.connection, dataDir, activity })
})
afterAll(async () => {
  await engine.stop()
  await engineDatabase.close()
  await server.close()
  await direct.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Resolves when the engine has recorded that it is resting. */
async function untilRest(): Promise<void> {
  await vi.waitFor(
    async () => expect((await readLiveness(direct.connection)).live).toMatchObject([{ isResting: true }]),
    {
      timeout: 30_000,
      interval: 100,
    },
  )
}

test('server and engine at rest write nothing, and read nothing but whether something happens', async () => {
  const quiet = Array.from({ length: quietReads }, () => 'find counters')
  await vi.waitFor(
    () => {
      for (const sent of Object.values(commands)) expect(sent.slice(-quietReads)).toEqual(quiet)
    },
    { timeout: 30_000, interval: 100 },
  )
})

test('an engine at rest lives, also where its last heartbeat is old', async () => {
  const { connection } = direct
  await untilRest()
  await connection.collection('engines').updateMany({}, { $set: { beatAt: new Date(Date.now() - 600_000) } })
  const { live } = await readLiveness(connection)
  expect(live).toMatchObject([{ isResting: true }])
  await vi.waitFor(async () => {
    const [answered] = (await readLiveness(connection)).live
    expect(Date.now() - (answered?.beatAt.getTime() ?? 0)).toBeLessThan(60_000)
  }, 5_000)
})

test('work that comes at rest is done', async () => {
  await untilRest()
  const { accessToken: token } = await server.createSignedIn()
  const body = { text: 'سلام', source_language: 'ps' as const, target_language: 'en' as const }
  expect((await server.call(api.audio.translate, { token, body })).status).toBe(200)
})
