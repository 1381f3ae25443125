import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { JobAccepted } from '#contract/entities/job.ts'
import { connectDatabase, type Database } from '#data/connect.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { seededRandom } from '#testing/audio.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startTestEngine, type TestEngine } from '#testing/engine.ts'
import { roundCount } from '#testing/rounds.ts'
import type { DatabaseFault } from '#testing/scripted-mongo/faults.ts'
import { startScriptedMongo, type ScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { listJobs } from '#testing/stored-work.ts'

const rounds = roundCount(50)
const clientCount = 4
/** Fewer than the limit per user. */
const maxKeywords = 200
const seed = Number(process.env.AWAZ_FAULT_SEED ?? 1)
/** Maximum time from the end of a fault until requests are answered. */
const backWithinMs = 15_000
let direct: TestDatabase
let mongo: ScriptedMongo
let server: TestServer
let engine: TestEngine
let engineDatabase: Database
let dataDir: string
/** One per client. */
let tokens: string[]

beforeEach(async () => {
  direct = await createTestDatabase({ isEmbedded: true })
  mongo = await startScriptedMongo({ upstreamUri: direct.uri })
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-faults-'))
  server = await startTestServer({ data: { dataDir, uri: mongo.uri, dbName: direct.dbName } })
  tokens = []
  for (let client = 0; client < clientCount; client += 1) tokens.push((await server.createSignedIn()).accessToken)
  engineDatabase = await connectDatabase({ mongodbUri: mongo.uri }, { dbName: direct.dbName })
  engine = await startTestEngine({ connection: engineDatabase.connection, dataDir })
})
afterEach(async () => {
  await engine.stop()
  await engineDatabase.close()
  await server.close()
  await mongo.close()
  await direct.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** What was acknowledged to users, and how many requests succeeded. */
interface Told {
  keywords: { token: string; keyword: string }[]
  jobIds: string[]
  /** The number of successful profile updates. */
  answered: number
}

/** Adds keywords and requests translations without pausing, until `stopping` aborts. */
async function keepAsking(token: string, told: Told, stopping: AbortSignal): Promise<void> {
  for (let count = 0; !stopping.aborted; count += 1) {
    const named = await server.call(api.profile.update, { body: { first_name: `Name ${count}` }, token })
    expect([200, 503]).toContain(named.status)
    if (named.status === 200) told.answered += 1
    if (count > maxKeywords) continue
    const keyword = `word ${count}`
    const added = await server.call(api.keywords.add, { params: { category: 'custom' }, body: { keyword }, token })
    expect([201, 409, 503]).toContain(added.status)
    if (added.status === 201) told.keywords.push({ token, keyword })
    if (count % 10 > 0) continue
    const body = { text: `سلام ${count}`, target_language: 'en' as const, source_language: 'ps' as const }
    const asked = await server.call(api.audio.translate, { body, token, headers: { Prefer: 'respond-async' } })
    const accepted = JobAccepted.safeParse(asked.raw)
    expect([200, 202, 429, 503]).toContain(asked.status)
    if (accepted.success) told.jobIds.push(accepted.data.job_id)
  }
}

/** Breaks the database once, for up to two seconds; resolves when it works again. */
async function breakOnce(random: () => number): Promise<void> {
  const forMs = 200 + random() * 1800
  const commandFaults: DatabaseFault[] = ['lose_reply', 'drop', { code: 91 }, { code: 11600 }, { code: 10107 }]
  const kinds = ['stepDown', 'killPrimary', 'refusing', 'hanging', 'commands'] as const
  const kind = kinds[Math.floor(random() * kinds.length)] ?? 'commands'
  if (kind === 'stepDown' || kind === 'killPrimary') return mongo[kind](forMs)
  if (kind === 'commands') {
    const chosen = commandFaults[Math.floor(random() * commandFaults.length)]
    mongo.failBy(() => (random() < 0.2 ? chosen : undefined))
  } else mongo.setMembers(kind)
  await wait(forMs)
  mongo.failBy(() => undefined)
  mongo.setMembers('up')
}

test(
  `nothing acknowledged is lost, doubled or failed in ${rounds} faults of all kinds`,
  { tags: ['rounds'], timeout: 900_000 },
  async () => {
    const random = seededRandom(seed)
    const told: Told = { keywords: [], jobIds: [], answered: 0 }
    const stopping = new AbortController()
    const asking = Promise.all(tokens.map((token) => keepAsking(token, told, stopping.signal)))
    asking.catch(() => undefined) // reported below
    for (let round = 0; round < rounds; round += 1) {
      await breakOnce(random)
      const before = told.answered
      await vi.waitFor(() => expect(told.answered).toBeGreaterThan(before + clientCount), backWithinMs)
    }
    stopping.abort()
    await asking
    const queue = openQueue(direct.connection)
    await vi.waitFor(async () => {
      const open = (await listJobs(queue, {})).filter(({ state }) => state === 'queued' || state === 'running')
      expect(open).toEqual([])
    }, 120_000)
    const jobs = await listJobs(queue, {})
    for (const token of tokens) {
      const { custom } = (await server.call(api.keywords.list, { token })).data.keywords
      const stored = custom.map(({ keyword }) => keyword)
      const own = told.keywords.filter((added) => added.token === token)
      expect(own.filter(({ keyword }) => !stored.includes(keyword))).toEqual([])
      expect(stored).toHaveLength(new Set(stored).size)
    }
    const ended = new Map(jobs.map((job) => [job.id, job]))
    expect(told.jobIds.filter((id) => ended.get(id)?.state !== 'done')).toEqual([])
    expect(jobs.filter(({ state }) => state === 'failed')).toEqual([])
    expect(jobs).toHaveLength(new Set(jobs.map(({ workKey }) => workKey)).size)
    const { keywords, jobIds, answered } = told
    console.log(`seed ${seed}: ${rounds} faults, ${answered} names, ${keywords.length} keywords, ${jobIds.length} jobs`)
  },
)
