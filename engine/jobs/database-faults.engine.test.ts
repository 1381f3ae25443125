import { inspect } from 'node:util'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectDatabase, type Database } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import { claimJob } from '#data/jobs/claim.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { writeShortCall } from '#engine/speech/testing/sample-call.ts'
import type { TestDatabase } from '#testing/database.ts'
import { makeJob } from '#testing/jobs.ts'
import { copyToStore, storeDocument } from '#testing/recordings.ts'
import type { DatabaseFault, SeenCommand } from '#testing/scripted-mongo/faults.ts'
import { startScriptedMongo, type ScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { countCheckpoints, readJob } from '#testing/stored-work.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { runJob, type RunnerContext } from './job-runner.ts'
import { keepModelsLoaded, type LoadedModels } from './loaded-models.ts'
import { openTestQueue } from './testing/job-queue.ts'
import { makeModelFolder, type ModelFolder } from './testing/model-folder.ts'
import { makeRunnerContext } from './testing/runner-context.ts'
import { watchModels } from './watch-models.ts'

/** Connects to the database directly. */
let direct: { database: TestDatabase; queue: Queue }
let folder: ModelFolder
let loaded: LoadedModels
let audioDir: string
let mongo: ScriptedMongo
let database: Database
let queue: Queue
let context: RunnerContext

beforeAll(async () => {
  direct = await openTestQueue({ isEmbedded: true })
  folder = await makeModelFolder()
  await folder.add('any', 'speech')
  await folder.copyDemo('speech', 'any')
  loaded = keepModelsLoaded({ threads: 1, idleMs: 60_000 })
})
afterAll(async () => {
  await loaded.close()
  await folder.remove()
  await direct.database.drop()
})

/** Uses a standalone server, on which the driver retries no writes: the test sees how the engine handles an error. */
beforeEach(async () => {
  audioDir = await temporaryFolder()
  mongo = await startScriptedMongo({ upstreamUri: direct.database.uri, kind: 'standalone' })
  database = await connectDatabase({ mongodbUri: mongo.uri }, { dbName: direct.database.dbName })
  queue = openQueue(database.connection)
  const watch = await watchModels({ ...folder.config, speechModel: 'any' }, pino({ level: 'silent' }))
  context = await makeRunnerContext({
    queue,
    loaded,
    audioDir,
    modelsDir: folder.dir,
    refreshModels: watch.refresh,
  })
})
afterEach(async () => {
  await database.close()
  await mongo.close()
})

async function makeTranscription(): Promise<JobRecord> {
  const [recordingId, ownerId] = [newId(), newId()]
  await copyToStore(await writeShortCall(await temporaryFolder(), { lineCount: 4 }), audioDir, recordingId)
  await storeDocument(direct.database.connection, { id: recordingId, ownerId, extension: 'wav', durationMs: 9000 })
  const params = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null, names: [] }
  return makeJob(direct.queue, { ownerId, recordingId, params, workKey: `transcribe:${recordingId}` })
}

/** Claims and runs jobs as a worker does, until none are waiting. */
async function runAll(): Promise<void> {
  for (let job = await claimJob(queue, 'engine'); job; job = await claimJob(queue, 'engine')) {
    await runJob(context, job, new AbortController().signal)
  }
}

type Match = (command: SeenCommand) => boolean

const isResult: Match = ({ name, collection, document }) =>
  name === 'update' && collection === 'jobs' && inspect(document, { depth: 6 }).includes("state: 'done'")

const faults: [string, Match, DatabaseFault][] = [
  ['its recording is read', ({ name, collection }) => name === 'find' && collection === 'recordings', 'drop'],
  ['its checkpoints are read', ({ name, collection }) => name === 'find' && collection === 'checkpoints', { code: 91 }],
  ['a checkpoint is written', ({ isWrite, collection }) => isWrite && collection === 'checkpoints', 'drop'],
  ['the reply to a checkpoint', ({ isWrite, collection }) => isWrite && collection === 'checkpoints', 'lose_reply'],
]

describe('an attempt is not counted where the database cannot be reached', () => {
  test.each(faults)('while %s', async (_when, matches, fault) => {
    const job = await makeTranscription()
    const happened = mongo.failNext(matches, fault)
    await runAll()
    await happened
    expect(await readJob(direct.queue, job.id)).toMatchObject({ state: 'done', attempt: 1, error: null })
    expect(await countCheckpoints(direct.queue, job.id)).toBe(0)
  })

  test.each<DatabaseFault>(['drop', 'lose_reply', { code: 11600 }])(
    'while its result is written: %j',
    async (fault) => {
      const job = await makeTranscription()
      const happened = mongo.failNext(isResult, fault)
      await runAll()
      await happened
      expect(await readJob(direct.queue, job.id)).toMatchObject({ state: 'done', attempt: 1, error: null })
      expect(await countCheckpoints(direct.queue, job.id)).toBe(0)
    },
  )

  test('where the reply to its claim is lost', async () => {
    const job = await makeTranscription()
    const lost = mongo.failNext(
      ({ name, collection }) => name === 'findAndModify' && collection === 'jobs',
      'lose_reply',
    )
    await expect(claimJob(queue, 'engine')).rejects.toThrow(/closed|ECONNRESET|timed out/)
    await lost
    await runAll()
    expect(await readJob(direct.queue, job.id)).toMatchObject({ state: 'done', attempt: 1, error: null })
  })
})
