import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { connectDatabase, type Database } from '#data/connect.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startTestEngine, type TestEngine } from '#testing/engine.ts'
import { openEvents } from '#testing/event-stream.ts'
import type { DeploymentKind } from '#testing/scripted-mongo/set-state.ts'
import { startScriptedMongo, type ScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

const maxLines = 10
const pinoWarn = 40
let direct: TestDatabase
let mongo: ScriptedMongo
let server: TestServer
let engine: TestEngine
let engineDatabase: Database
let dataDir: string
let token: string

beforeEach(async () => {
  direct = await createTestDatabase({ isEmbedded: true })
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-outage-'))
})
afterEach(async () => {
  await engine.stop()
  await engineDatabase.close()
  await server.close()
  await mongo.close()
  await direct.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(kind: DeploymentKind): Promise<void> {
  mongo = await startScriptedMongo({ upstreamUri: direct.uri, kind })
  const data = { dataDir, uri: mongo.uri, dbName: direct.dbName }
  server = await startTestServer({ data })
  server.services.webhooks.start(server.services.activity)
  token = (await server.createSignedIn()).accessToken
  engineDatabase = await connectDatabase({ mongodbUri: mongo.uri }, { dbName: direct.dbName })
  engine = await startTestEngine({ connection: engineDatabase.connection, dataDir })
}

/** Sends requests from several clients without pausing until `isDone`; returns the number of responses by status. */
async function keepAsking(isDone: (statuses: Map<number, number>) => boolean): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  async function ask(client: number): Promise<void> {
    while (!isDone(statuses)) {
      const { status } = await server.call(api.profile.update, { token, body: { first_name: `Name ${client}` } })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all([1, 2, 3, 4, 5].map(ask))
  return statuses
}

/** Returns the messages of an outage: warnings and errors of the server and the engine. */
function loggedLines(): { server: string[]; engine: string[] } {
  const messages = (lines: unknown[]) =>
    lines.flatMap((line) => {
      const { level, msg } = line as { level: number; msg: string } // pino writes both
      return level >= pinoWarn ? [msg] : []
    })
  return {
    server: messages(server.logLines.map((line) => JSON.parse(line) as unknown)),
    engine: messages(engine.lines),
  }
}

async function waitForEnd(): Promise<void> {
  await vi.waitFor(() => {
    const { server: ofServer, engine: ofEngine } = loggedLines()
    expect(ofServer).toContain('the database can be reached again')
    expect(ofEngine).toContain('the database can be reached again')
  })
}

test('an outage is one line when it begins and one when it ends, and 503 for those who ask meanwhile', async () => {
  await start('standalone')
  const stream = await openEvents(server.url, token)
  mongo.setMembers('refusing')
  const statuses = await keepAsking((seen) => (seen.get(503) ?? 0) >= 10)
  mongo.setMembers('up')
  await waitForEnd()
  expect([...statuses.keys()]).toEqual([503])
  const { server: ofServer, engine: ofEngine } = loggedLines()
  expect(ofServer.filter((line) => line === 'the database cannot be reached')).toHaveLength(1)
  expect(ofEngine.filter((line) => line === 'the database cannot be reached')).toHaveLength(1)
  expect([ofServer.length, ofEngine.length].every((count) => count <= maxLines)).toBe(true)
  const end = server.logLines.find((line) => line.includes('can be reached again'))
  expect(JSON.parse(end ?? '{}')).toMatchObject({ seconds: expect.any(Number), leftOut: expect.any(Number) })
  // The stream stayed open throughout, and reports changes.
  await server.call(api.profile.get, { token })
  stream.close()
  expect(stream.status).toBe(200)
}, 90_000)

test.each(['stepDown', 'killPrimary'] as const)(
  '%s is waited for: nobody is refused, and at most ten lines tell of it',
  async (fault) => {
    await start('set')
    let isOver = false
    const election = mongo[fault](4000).then(() => (isOver = true))
    const statuses = await keepAsking((seen) => isOver && (seen.get(200) ?? 0) >= 10)
    await election
    expect([...statuses.keys()]).toEqual([200])
    const { server: ofServer, engine: ofEngine } = loggedLines()
    expect([ofServer.length, ofEngine.length].every((count) => count <= maxLines)).toBe(true)
  },
  90_000,
)
