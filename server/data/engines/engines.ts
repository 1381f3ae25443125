import { hostname } from 'node:os'
import { readFileSync, readlinkSync } from 'node:fs'
import type { EngineStatus } from '#contract/entities/engine.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import type { Queue } from '../jobs/queue.ts'
import { type OnReclaimed, revokeLeases } from '../jobs/reconcile.ts'
import { EngineFeatures, uniteFeatures } from './engine-features.ts'
import { type EngineDocument, engineModel } from './engine-model.ts'
import { engineExpiryMs, readLiveness } from './liveness.ts'

/**
 * Returns a name for the set of processes in which a process id is unique: this boot of this machine and, inside a container, the
 * container. A host name is not enough: containers may share one, and so may machines.
 */
function readProcessSpace(): string {
  return [hostname(), ...linuxMarks()].join(' ')
}

function linuxMarks(): string[] {
  try {
    return [readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), readlinkSync('/proc/self/ns/pid')]
  } catch {
    return []
  }
}

/** A running engine as others see it. */
export type EngineRecord = Omit<EngineDocument, '_id'> & { id: string }

/** What an engine reports with each heartbeat. */
export interface Heartbeat {
  features: EngineFeatures
  status: EngineStatus
  /** Whether it records no more heartbeats until asked. Default false. */
  isResting?: boolean
  /** The number of the last roll call it has seen. Default 0. */
  rollCall?: number
}

/** Records that this engine runs, what it can do and its status; the first call registers it. Times are the database's. */
export async function recordHeartbeat(
  connection: DatabaseConnection,
  engineId: string,
  { features, status, isResting = false, rollCall = 0 }: Heartbeat,
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
          isResting,
          rollCall,
        },
      },
    ],
    { upsert: true, updatePipeline: true },
  )
}

/** Removes an engine from the list; the last thing an engine does. */
export async function unregisterEngine(connection: DatabaseConnection, engineId: string): Promise<void> {
  await engineModel(connection).deleteOne({ _id: engineId })
}

/** Returns the live engines (liveness.ts), oldest first, at most 100. */
export async function findLiveEngines(connection: DatabaseConnection): Promise<EngineRecord[]> {
  const { live } = await readLiveness(connection)
  return live
    .map(({ _id, ...fields }) => ({ ...fields, id: _id }))
    .toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime() || (a.id < b.id ? -1 : 1))
}

/** Returns the combined capabilities of the live engines, or null while there are none. */
export async function readFeatures(connection: DatabaseConnection): Promise<EngineFeatures | null> {
  return featuresOf(await findLiveEngines(connection))
}

/** Returns the combined capabilities of engines, or null where none reports any. */
export function featuresOf(engines: Pick<EngineRecord, 'features'>[]): EngineFeatures | null {
  const [first, ...others] = engines.flatMap(({ features }) => EngineFeatures.safeParse(features).data ?? [])
  return first ? uniteFeatures([first, ...others]) : null
}

/**
 * Requeues the jobs of this host's dead engines at once, so that a restarted engine resumes within a second instead of when the leases
 * expire. An engine is dead when no process has its process id, or when this process now has it; ids are compared only within one
 * process space, since engines in containers may share a host name. If another process reuses the id, the lease expires as usual.
 * Returns how many jobs were reclaimed.
 */
export async function reclaimFromDeadEngines(
  queue: Queue,
  onReclaimed: OnReclaimed = () => undefined,
): Promise<number> {
  const engines = engineModel(queue.connection)
  const here = await engines.find({ host: hostname(), processSpace: readProcessSpace() }).lean()
  let count = 0
  for (const engine of here) {
    if (engine.pid !== process.pid && isProcess(engine.pid)) continue
    const { requeued, failed } = await revokeLeases(queue, engine._id, onReclaimed)
    await engines.deleteOne({ _id: engine._id })
    count += requeued + failed
  }
  const now = await readDatabaseTime(queue.connection)
  await engines.deleteMany({ beatAt: { $lt: new Date(now.getTime() - engineExpiryMs) } })
  return count
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user is alive too, although we may not signal it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
