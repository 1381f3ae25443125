import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Types } from 'mongoose'
import { expect, vi } from 'vitest'
import { EngineStatus } from '#contract/entities/engine.ts'
import { ensureIndexes } from '#data/model.ts'
import { cancelJob } from '#data/queue/cancel.ts'
import { findLiveEngines } from '#data/queue/engines.ts'
import type { JobRecord } from '#data/queue/job-model.ts'
import { openQueue, type Queue } from '#data/queue/queue.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startEngineProcess } from '#testing/processes.ts'
import type { StandInHandler, StandInServer } from './stand-in-server.ts'

interface EngineWithServersOptions<Received> {
  startStandIn(behave?: StandInHandler<Received>): Promise<StandInServer<Received>>
  behave: StandInHandler<Received>
  /** The engine's settings for these addresses, between commas. */
  env(addresses: string): Record<string, string>
}

export interface EngineWithServers<Received> {
  ownerId: Types.ObjectId
  database: TestDatabase
  queue: Queue
  dataDir: string
  /** Answers as `behave` does, while it is not held. */
  server: StandInServer<Received>
  gone: StandInServer<Received>
  /** Keeps the server from answering until `release`. */
  hold(): void
  release(): void
  close(): Promise<void>
}

/** Runs an engine process whose work goes to two servers, of which the first is gone. */
export async function startEngineWithServers<Received>({
  startStandIn,
  behave,
  env,
}: EngineWithServersOptions<Received>): Promise<EngineWithServers<Received>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'awaz-remote-engine-'))
  const database = await createTestDatabase()
  const queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
  let released = Promise.withResolvers<void>()
  released.resolve()
  const server = await startStandIn(async (request, response) => {
    await released.promise
    return behave(request, response)
  })
  const gone = await startStandIn()
  await gone.close()
  const engine = await startEngineProcess({ dataDir, database, env: env(`${gone.address},${server.address}/v1`) })
  return {
    ownerId: new Types.ObjectId(),
    database,
    queue,
    dataDir,
    server,
    gone,
    hold: () => void (released = Promise.withResolvers()),
    release: () => released.resolve(),
    async close() {
      released.resolve()
      await engine.end('SIGKILL')
      await server.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function waitUntilDone({ queue }: { queue: Queue }, { _id }: JobRecord): Promise<void> {
  await vi.waitFor(async () => expect(await queue.jobs.findById(_id).lean()).toMatchObject({ state: 'done' }), {
    timeout: 120_000,
    interval: 200,
  })
}

/** Waits until the engine publishes this about its servers. */
export async function expectPublished(
  { database }: { database: TestDatabase },
  field: 'speech_servers' | 'translation_servers',
  servers: object[],
): Promise<void> {
  const isPublished = async () => {
    const [live] = await findLiveEngines(database.connection)
    expect(EngineStatus.parse(live?.status)[field]).toMatchObject(servers)
  }
  await vi.waitFor(isPublished, { timeout: 20_000, interval: 200 })
}

/** Cancels a job while the server is held, and expects its connections to close within two seconds. */
export async function expectQuickCancel<Received>(
  { queue, ownerId, server, hold }: EngineWithServers<Received>,
  makeJob: () => Promise<JobRecord>,
): Promise<void> {
  hold()
  const before = server.seen.length
  const job = await makeJob()
  await vi.waitFor(() => expect(server.seen.length).toBeGreaterThan(before), { timeout: 60_000 })
  expect(server.connections.size).toBeGreaterThan(0)
  const cancelledAt = performance.now()
  await cancelJob(queue, ownerId, job._id)
  await vi.waitFor(() => expect(server.connections.size).toBe(0), { timeout: 10_000, interval: 20 })
  expect(performance.now() - cancelledAt).toBeLessThan(2000)
}
