import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '#contract/app-error.ts'
import { createTestDatabase } from '#testing/database.ts'
import { makeHeartbeat, makeJob, takeJob } from '#testing/jobs.ts'
import { roundCount } from '#testing/rounds.ts'
import { countJobs, readJob } from '#testing/stored-work.ts'
import { newId, toObjectId } from '../ids.ts'
import { ensureIndexes } from '../indexes.ts'
import { cancelJob } from './cancel.ts'
import { loadCheckpoints, saveCheckpoint } from './checkpoints.ts'
import { claimJob } from './claim.ts'
import { engineModel } from '../engines/engine-model.ts'
import { findLiveEngines, recordHeartbeat, reclaimFromDeadEngines } from '../engines/engines.ts'
import { enqueueJob, findFinishedJob, readQueuePosition } from './enqueue.ts'
import { jobModel } from './job-model.ts'
import { completeJob, failAttempt, releaseJob, renewLease, writeProgress } from './lease.ts'
import { openQueue, type Queue } from './queue.ts'
import { createReconciler } from './reconcile.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let queue: Queue

beforeAll(async () => {
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
})
beforeEach(() => Promise.all(Object.values(database.connection.models).map((model) => model.deleteMany({}))))
afterAll(() => database.drop())

const outcome = { result: { ok: true }, languages: ['ps'] }

const readStoredJob = (id: string) => readJob(queue, id)

const jobCount = roundCount(300)

test(
  `${jobCount} jobs are done by two competing processes, none twice and none lost`,
  { tags: ['rounds'] },
  async () => {
    const owners = [newId(), newId(), newId()]
    const wide = openQueue(database.connection, { maxQueuedPerUser: jobCount })
    for (let index = 0; index < jobCount; index += 1) await makeJob(wide, { ownerId: owners[index % 3] })
    const engines = ['first', 'second'].map((name) =>
      spawn(
        process.execPath,
        [join(import.meta.dirname, 'testing/claim-worker.ts'), database.uri, database.connection.name, name],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      ),
    )
    // Each has taken one job: from now on they compete.
    await Promise.all(engines.map((engine) => once(engine.stdout, 'data')))
    for (const engine of engines) engine.stdin.end('go')
    const exits = await Promise.all(engines.map(async (engine) => (await once(engine, 'exit'))[0]))
    expect(exits).toEqual([0, 0])
    const runs = await database.connection.collection('runs').find().toArray()
    expect(runs).toHaveLength(jobCount)
    expect(new Set(runs.map((run) => String(run.jobId))).size).toBe(jobCount)
    expect(new Set(runs.map((run) => String(run.engineId))).size).toBe(2)
    expect(await countJobs(queue, { state: 'done' })).toBe(jobCount)
  },
)

test('two equal requests at once make one job', async () => {
  const work = { ownerId: newId(), workKey: 'transcribe:same' }
  const jobs = await Promise.all([1, 2, 3, 4].map(() => makeJob(queue, work)))
  expect(new Set(jobs.map((job) => job.id)).size).toBe(1)
})

test('the same work of another owner is another job', async () => {
  const [first, second] = [await makeJob(queue, { workKey: 'same' }), await makeJob(queue, { workKey: 'same' })]
  expect(first.id).not.toBe(second.id)
})

test('users take turns however many jobs one of them sent first', async () => {
  const [busy, late] = [newId(), newId()]
  for (let index = 0; index < 4; index += 1) await makeJob(queue, { ownerId: busy })
  await takeJob(queue)
  const jobs = [await makeJob(queue, { ownerId: late }), await makeJob(queue, { ownerId: late })]
  const order = [await takeJob(queue), await takeJob(queue), await takeJob(queue), await takeJob(queue)]
  expect(order.map((job) => (job.ownerId === late ? 'late' : 'busy'))).toEqual(['busy', 'late', 'busy', 'late'])
  expect(jobs).toHaveLength(2)
})

test('the position in the queue follows the order of service', async () => {
  const busy = newId()
  await makeJob(queue, { ownerId: busy })
  const second = await makeJob(queue, { ownerId: busy })
  const other = await makeJob(queue)
  expect(await readQueuePosition(queue, other)).toBe(2)
  expect(await readQueuePosition(queue, second)).toBe(3)
  const running = await takeJob(queue)
  expect(await readQueuePosition(queue, running)).toBeNull()
  expect(await readQueuePosition(queue, other)).toBe(1)
})

test('refuses a job when the queue is full or its owner has too many waiting', async () => {
  const small = openQueue(database.connection, { maxQueued: 3, maxQueuedPerUser: 2 })
  const ownerId = newId()
  await makeJob(small, { ownerId })
  await makeJob(small, { ownerId })
  await expect(makeJob(small, { ownerId })).rejects.toMatchObject({
    code: 'too_many_jobs',
    message: 'You have 2 pieces of work waiting, the most one person may have',
    help: expect.stringContaining('cancel'),
  })
  await makeJob(small)
  await expect(makeJob(small)).rejects.toMatchObject({ code: 'queue_full' })
})

test('of many jobs sent at once exactly as many wait as one user may have', async () => {
  const small = openQueue(database.connection, { maxQueuedPerUser: 5 })
  const ownerId = newId()
  const sent = await Promise.allSettled(Array.from({ length: 12 }, () => makeJob(small, { ownerId })))
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(await countJobs(queue, { ownerId })).toBe(5)
})

test('nothing is written without the lease', async () => {
  const quick = openQueue(database.connection, { leaseMs: 1, renewMs: 1 })
  const reconcile = createReconciler(quick)
  const job = await makeJob(quick)
  const slow = await takeJob(quick, 'slow')
  await vi.waitFor(async () => expect(await reconcile()).toEqual({ requeued: 1, failed: 0 }))
  const next = await takeJob(quick, 'next')
  expect(next).toMatchObject({ id: job.id, attempt: 2 })
  expect(await renewLease(quick, slow)).toBe(false)
  expect(await writeProgress(quick, slow, { late: true }, { id: slow.leaseId, sequence: 0 })).toBe(false)
  expect(await completeJob(quick, slow, { result: { by: 'slow' }, languages: [] })).toBe(false)
  expect(await completeJob(quick, next, outcome)).toBe(true)
  expect(await completeJob(quick, next, outcome)).toBe(false)
  expect(await readStoredJob(job.id)).toMatchObject({ state: 'done', languages: ['ps'], leaseId: null })
})

test('a renewed lease is not taken back', async () => {
  await makeJob(queue)
  const job = await takeJob(queue)
  const reconcile = createReconciler(queue)
  await renewLease(queue, job)
  expect(await reconcile()).toEqual({ requeued: 0, failed: 0 })
})

test('a job whose engine dies three times fails with a reason', async () => {
  const quick = openQueue(database.connection, { leaseMs: 1, renewMs: 1 })
  const reconcile = createReconciler(quick)
  const job = await makeJob(quick)
  for (const expected of [
    { requeued: 1, failed: 0 },
    { requeued: 1, failed: 0 },
    { requeued: 0, failed: 1 },
  ]) {
    await takeJob(quick)
    await vi.waitFor(async () => expect(await reconcile()).toEqual(expected))
  }
  expect(await readStoredJob(job.id)).toMatchObject({ state: 'failed', error: { code: 'job_failed' } })
  expect(await claimJob(quick, 'test')).toBeNull()
})

test('a failed attempt is repeated unless its error is final', async () => {
  const [repeated, unreadable] = [await makeJob(queue), await makeJob(queue)]
  const error = new AppError('internal', 'It broke')
  await failAttempt(queue, await takeJob(queue), error, { isFinal: false })
  expect(await readStoredJob(repeated.id)).toMatchObject({ state: 'queued', attempt: 1 })
  for (const isFinal of [false, false]) await failAttempt(queue, await takeJob(queue), error, { isFinal })
  expect(await readStoredJob(repeated.id)).toMatchObject({ state: 'failed', attempt: 3, error: { error: 'It broke' } })
  await failAttempt(queue, await takeJob(queue), new AppError('no_audio', 'No sound'), { isFinal: true })
  expect(await readStoredJob(unreadable.id)).toMatchObject({ state: 'failed', attempt: 1, error: { code: 'no_audio' } })
})

test('a draining engine releases the job with its attempt and its checkpoints', async () => {
  const job = await makeJob(queue)
  const taken = await takeJob(queue)
  await saveCheckpoint(queue, job.id, 'window', { text: 'سلام' })
  expect(await releaseJob(queue, taken)).toBe(true)
  expect(await readStoredJob(job.id)).toMatchObject({ state: 'queued', attempt: 0, leaseId: null })
  expect(await loadCheckpoints(queue, job.id)).toEqual(new Map([['window', { text: 'سلام' }]]))
})

test('checkpoints go when the job is done', async () => {
  const job = await makeJob(queue)
  await saveCheckpoint(queue, job.id, 'window', 1)
  await saveCheckpoint(queue, job.id, 'window', 2)
  expect(await loadCheckpoints(queue, job.id)).toEqual(new Map([['window', 2]]))
  await completeJob(queue, await takeJob(queue), outcome)
  expect(await loadCheckpoints(queue, job.id)).toEqual(new Map())
})

test('cancelling takes the job from its engine and frees its key', async () => {
  const ownerId = newId()
  const job = await makeJob(queue, { ownerId, workKey: 'again' })
  const taken = await takeJob(queue)
  expect(await cancelJob(queue, newId(), job.id)).toBeNull()
  expect(await cancelJob(queue, ownerId, job.id)).toMatchObject({ state: 'cancelled' })
  expect(await renewLease(queue, taken)).toBe(false)
  const again = await makeJob(queue, { ownerId, workKey: 'again' })
  expect(again.id === job.id).toBe(false)
})

test('cancelling an ended job leaves it as it is', async () => {
  const job = await makeJob(queue)
  await completeJob(queue, await takeJob(queue), outcome)
  expect(await cancelJob(queue, job.ownerId, job.id)).toMatchObject({ state: 'done' })
})

test('the latest finished job of the same work is found again', async () => {
  const ownerId = newId()
  const work = { ownerId, workKey: 'same' }
  expect(await findFinishedJob(queue, ownerId, 'same')).toBeNull()
  await makeJob(queue, work)
  await completeJob(queue, await takeJob(queue), outcome)
  const { isNew, job } = await enqueueJob(queue, {
    ...work,
    recordingId: null,
    params: { kind: 'diarize', hasText: true, language: 'ps', channelLanguages: null },
  })
  expect(isNew).toBe(true)
  await completeJob(queue, await takeJob(queue), outcome)
  expect((await findFinishedJob(queue, ownerId, 'same'))?.id === job.id).toBe(true)
})

test('values that look like database expressions are stored as they are', async () => {
  const job = await makeJob(queue)
  const taken = await takeJob(queue, '$attempt')
  await writeProgress(queue, taken, { text: '$workKey', nested: { $add: [1, 2] } }, { id: taken.leaseId, sequence: 0 })
  expect(await readStoredJob(job.id)).toMatchObject({
    engineId: '$attempt',
    progress: { text: '$workKey', nested: { $add: [1, 2] } },
  })
})

test('a restarted engine reclaims the jobs of its dead predecessor at once', async () => {
  await recordHeartbeat(database.connection, 'dead', makeHeartbeat())
  await engineModel(database.connection).updateOne({ _id: 'dead' }, { $set: { pid: 4_000_000 } })
  await recordHeartbeat(database.connection, 'alive', makeHeartbeat())
  await engineModel(database.connection).updateOne({ _id: 'alive' }, { $set: { pid: process.ppid } })
  const jobs = [await makeJob(queue), await makeJob(queue)]
  await takeJob(queue, 'dead')
  await takeJob(queue, 'alive')
  expect(await reclaimFromDeadEngines(queue)).toBe(1)
  expect(await Promise.all(jobs.map(async ({ id }) => (await readStoredJob(id))?.state))).toEqual(['queued', 'running'])
  expect((await findLiveEngines(database.connection)).map(({ id }) => id)).toEqual(['alive'])
})

describe('the history of a job', () => {
  const readAttempts = async (id: string) =>
    (await jobModel(database.connection).findById(toObjectId(id)).lean())?.attempts ?? {}

  test('has engine, times, models and error of each attempt that ended', async () => {
    const { id } = await makeJob(queue)
    const failure = new AppError('internal', 'whisper stopped unexpectedly (SIGSEGV).')
    const about = { models: ['demo-speech'], cause: 'ChildDied SIGSEGV' }
    await failAttempt(queue, await takeJob(queue, 'first'), failure, { isFinal: false, ...about })
    await completeJob(queue, await takeJob(queue, 'second'), { ...outcome, models: ['demo-translator'] })
    const engine = { host: hostname(), pid: process.pid, startedAt: expect.any(Date), endedAt: expect.any(Date) }
    expect(await readAttempts(id)).toEqual({
      1: { ...engine, engineId: 'first', outcome: 'failed', code: 'internal', message: failure.message, ...about },
      2: { ...engine, engineId: 'second', outcome: 'done', models: ['demo-translator'] },
    })
  })

  test('has the attempts whose engine died, whose job is named', async () => {
    const { id } = await makeJob(queue)
    const reclaimed: string[] = []
    for (let attempt = 1; attempt <= queue.limits.maxAttempts; attempt += 1) {
      await recordHeartbeat(database.connection, 'dead', makeHeartbeat())
      await takeJob(queue, 'dead')
      await reclaimFromDeadEngines(queue, (jobId) => reclaimed.push(jobId))
    }
    const lost = expect.objectContaining({ outcome: 'lost', engineId: 'dead', endedAt: expect.any(Date) })
    expect(await readAttempts(id)).toEqual({ 1: lost, 2: lost, 3: lost })
    expect(reclaimed).toEqual([id, id, id])
    expect(await readStoredJob(id)).toMatchObject({ state: 'failed' })
  })

  test('has no attempt that was given back, because it does not count', async () => {
    const { id } = await makeJob(queue)
    await releaseJob(queue, await takeJob(queue))
    expect(await readAttempts(id)).toEqual({})
  })
})
