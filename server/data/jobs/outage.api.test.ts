import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { makeJob, takeJob } from '#testing/jobs.ts'
import { startScriptedMongo, type ScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { readJob } from '#testing/stored-work.ts'
import { connectDatabase, type Database } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { ensureIndexes } from '../indexes.ts'
import { jobModel } from './job-model.ts'
import { renewLease } from './lease.ts'
import { openQueue, type Queue } from './queue.ts'
import { createReconciler } from './reconcile.ts'

const limits = { leaseMs: 1000, renewMs: 1000 }
/** Reaches the database itself. */
let direct: TestDatabase
let mongo: ScriptedMongo
let database: Database
let queue: Queue

beforeEach(async () => {
  direct = await createTestDatabase({ isEmbedded: true })
  await ensureIndexes(direct.connection)
  mongo = await startScriptedMongo({ upstreamUri: direct.uri, kind: 'standalone' })
  database = await connectDatabase({ mongodbUri: mongo.uri }, { dbName: direct.dbName })
  queue = openQueue(database.connection, limits)
})
afterEach(async () => {
  await database.close()
  await mongo.close()
  await direct.drop()
})

test('a lease that ran out while the database could not be reached is left to its holder first', async () => {
  const { id } = await makeJob(queue)
  const job = await takeJob(queue)
  const reconcile = createReconciler(queue)
  await reconcile()
  mongo.setMembers('refusing')
  await expect(reconcile()).rejects.toThrow(/closed|ECONNRESET|timed out/)
  await vi.waitFor(async () => expect(await hasExpired(id)).toBe(true))
  mongo.setMembers('up')
  expect(await vi.waitFor(reconcile)).toEqual({ requeued: 0, failed: 0 })
  expect(await renewLease(queue, job)).toBe(true)
  expect(await readJob(openQueue(direct.connection), id)).toMatchObject({ state: 'running', attempt: 1 })
})

test('a job whose holder does not come back after that is taken over', async () => {
  const { id } = await makeJob(queue)
  await takeJob(queue)
  const reconcile = createReconciler(queue)
  await reconcile()
  mongo.setMembers('refusing')
  await vi.waitFor(async () => expect(await hasExpired(id)).toBe(true))
  mongo.setMembers('up')
  await vi.waitFor(async () => expect(await reconcile()).toEqual({ requeued: 1, failed: 0 }))
})

async function hasExpired(id: string): Promise<boolean> {
  const job = await jobModel(direct.connection).findById(id, { leaseUntil: 1 }).lean()
  return (job?.leaseUntil ?? 0) < (await readDatabaseTime(direct.connection))
}
