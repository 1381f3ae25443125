import { hostname } from 'node:os'
import type { Connection } from 'mongoose'
import type { EngineStatus } from '#contract/entities/engine.ts'
import { readDatabaseTime } from '../database-time.ts'
import { EngineFeatures, uniteFeatures } from './engine-features.ts'
import { engineModel, type EngineDocument } from './engine-model.ts'
import { readProcessSpace } from './process-space.ts'
import type { Queue } from '../jobs/queue.ts'
import { voidLeases } from '../jobs/reconcile.ts'

/** An engine silent for this long counts as gone. */
const silentMs = 15_000
/** A gone engine's document is removed after this, by whichever engine starts next. */
const forgottenMs = 24 * 3600 * 1000

/** What an engine says with each sign of life. */
export interface Heartbeat {
  features: EngineFeatures
  status: EngineStatus
}

/** Says that this engine lives, what it can do and how it is; the first call registers it. Times are the database's. */
export async function recordHeartbeat(
  connection: Connection,
  engineId: string,
  { features, status }: Heartbeat,
): Promise<void> {
  await engineModel(connection).updateOne(
    { _id: engineId },
    [
      {
        $set: {
          host: { $literal: hostname() },
          processSpace: { $literal: readProcessSpace() },
          pid: process.pid,
          features: { $literal: features },
          status: { $literal: status },
          startedAt: { $ifNull: ['$startedAt', '$$NOW'] },
          beatAt: '$$NOW',
        },
      },
    ],
    { upsert: true, updatePipeline: true },
  )
}

/** Takes an engine off the list, as the last thing it does. */
export async function unregister(connection: Connection, engineId: string): Promise<void> {
  await engineModel(connection).deleteOne({ _id: engineId })
}

/** The engines that gave a sign of life in the last 15 s, the oldest first. A sign from the future is one of before the clock was set. */
export async function findLiveEngines(connection: Connection): Promise<EngineDocument[]> {
  const now = await readDatabaseTime(connection)
  const live = await engineModel(connection)
    .find({ beatAt: { $gt: new Date(now.getTime() - silentMs), $lte: new Date(now.getTime() + silentMs) } })
    .sort({ beatAt: -1 })
    .limit(100)
    .lean<EngineDocument[]>()
  return live.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a._id < b._id ? -1 : 1))
}

/** What the live engines can do together, or null while none lives. */
export async function readFeatures(connection: Connection): Promise<EngineFeatures | null> {
  return featuresOf(await findLiveEngines(connection))
}

/** What some engines can do together, or null where none of them says so. */
export function featuresOf(engines: EngineDocument[]): EngineFeatures | null {
  const [first, ...others] = engines.flatMap(({ features }) => EngineFeatures.safeParse(features).data ?? [])
  return first ? uniteFeatures([first, ...others]) : null
}

/**
 * Takes the work of dead engines of this host back at once, so that a restarted engine goes on within a second and not only when
 * the leases run out. An engine is dead when no process has its number, or when that number is now ours; numbers are compared only
 * within one set of processes, since engines in containers may share a host name. Where the number was given to another process,
 * the lease runs out as usual. Returns how many jobs came back.
 */
export async function takeBackFromDead(queue: Queue, isAlive: (pid: number) => boolean = isProcess): Promise<number> {
  const engines = engineModel(queue.connection)
  const here = await engines.find({ host: hostname(), processSpace: readProcessSpace() }).lean()
  let count = 0
  for (const engine of here) {
    if (engine.pid !== process.pid && isAlive(engine.pid)) continue
    const { requeued, failed } = await voidLeases(queue, engine._id)
    await engines.deleteOne({ _id: engine._id })
    count += requeued + failed
  }
  const now = await readDatabaseTime(queue.connection)
  await engines.deleteMany({ beatAt: { $lt: new Date(now.getTime() - forgottenMs) } })
  return count
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user lives too, though we may not signal it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
