import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { EngineStatus } from '#contract/entities/engine.ts'
import { newId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { cancelJob } from '#data/jobs/cancel.ts'
import { findLiveEngines } from '#data/engines/engines.ts'
import type { JobRecord } from '#data/jobs/job-record.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startTestEngine } from '#testing/engine.ts'
import { readJob } from '#testing/stored-work.ts'
import type { FakeServerHandler, FakeServer } from './fake-server.ts'

interface EngineWithServersOptions<Received> {
  startFakeServer(behave?: FakeServerHandler<Received>): Promise<FakeServer<Received>>
  behave: FakeServerHandler<Received>
  /** Returns the engine's settings for these addresses, separated by commas. */
  env(addresses: string): Record<string, string>
}

export interface EngineWithServers<Received> {
  ownerId: string
  database: TestDatabase
  queue: Queue
  dataDir: string
  /** Responds as `behave` does. */
  server: FakeServer<Received>
  /** Accepts no connections. */
  stoppedServer: FakeServer<Received>
  waitUntilDone(job: JobRecord): Promise<void>
  /** Waits until the engine publishes this about its servers. */
  expectPublished(field: 'speech_servers' | 'translation_servers', servers: object[]): Promise<void>
  /** Cancels a job that waits for the server's response, and expects its connections to close within two seconds. */
  expectQuickCancel(makeJob: () => Promise<JobRecord>): Promise<void>
  close(): Promise<void>
}

/** Starts an engine that sends its work to two servers, the first of which is stopped. */
export async function startEngineWithServers<Received>({
  startFakeServer,
  behave,
  env,
}: EngineWithServersOptions<Received>): Promise<EngineWithServers<Received>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'awaz-remote-engine-'))
  const database = await createTestDatabase()
  const queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
  /** The server waits for this before each response. */
  let hold = Promise.resolve()
  const server = await startFakeServer(async (request, response) => {
    await hold
    return behave(request, response)
  })
  const stoppedServer = await startFakeServer()
  await stoppedServer.close()
  const engine = await startTestEngine({
    dataDir,
    connection: database.connection,
    env: env(`${stoppedServer.address},${server.address}/v1`),
  })
  const ownerId = newId()
  return {
    ownerId,
    database,
    queue,
    dataDir,
    server,
    stoppedServer,
    waitUntilDone: (job) => waitUntilDone(queue, job),
    expectPublished: (field, servers) => expectPublished(database, field, servers),
    async expectQuickCancel(makeJob) {
      const released = Promise.withResolvers<void>()
      hold = released.promise
      try {
        await expectQuickCancel({ queue, ownerId, server }, makeJob)
      } finally {
        released.resolve()
      }
    },
    async close() {
      await engine.stop()
      await server.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function waitUntilDone(queue: Queue, { id }: JobRecord): Promise<void> {
  await vi.waitFor(async () => expect(await readJob(queue, id)).toMatchObject({ state: 'done' }), {
    timeout: 120_000,
    interval: 50,
  })
}

async function expectPublished(
  { connection }: TestDatabase,
  field: 'speech_servers' | 'translation_servers',
  servers: object[],
): Promise<void> {
  const isPublished = async () => {
    const [live] = await findLiveEngines(connection)
    expect(EngineStatus.parse(live?.status)[field]).toMatchObject(servers)
  }
  await vi.waitFor(isPublished, { timeout: 20_000, interval: 50 })
}

async function expectQuickCancel<Received>(
  { queue, ownerId, server }: Pick<EngineWithServers<Received>, 'queue' | 'ownerId' | 'server'>,
  makeJob: () => Promise<JobRecord>,
): Promise<void> {
  const before = server.seen.length
  const job = await makeJob()
  await vi.waitFor(() => expect(server.seen.length).toBeGreaterThan(before), { timeout: 60_000 })
  expect(server.connections.size).toBeGreaterThan(0)
  const cancelledAt = performance.now()
  await cancelJob(queue, ownerId, job.id)
  await vi.waitFor(() => expect(server.connections.size).toBe(0), { timeout: 10_000, interval: 20 })
  expect(performance.now() - cancelledAt).toBeLessThan(2000)
}
