import { hostname } from 'node:os'
import { Schema, type Connection, type Model } from 'mongoose'
import type { z } from 'zod'
import { api } from '#contract/api.ts'
import { readDatabaseTime } from './database-time.ts'
import type { Queue } from './queue.ts'
import { voidLeases } from './reconcile.ts'
import { modelOf } from '../model.ts'

/** What the active models can do: `features` of GET /api/languages. */
export const EngineFeatures = api.system.languages.response.shape.features
export type EngineFeatures = z.infer<typeof EngineFeatures>

/** A running engine: it writes `beatAt` every few seconds and takes the document away when it ends. */
export interface EngineDocument {
  _id: string
  host: string
  pid: number
  /** Parsed by EngineFeatures. */
  features: unknown
  startedAt: Date
  beatAt: Date
}

const schema = new Schema<EngineDocument>(
  {
    _id: { type: String, required: true },
    host: { type: String, required: true },
    pid: { type: Number, required: true },
    features: { type: Schema.Types.Mixed, required: true },
    startedAt: { type: Date, required: true },
    beatAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)
schema.index({ beatAt: -1 })
schema.index({ host: 1 })

/** An engine silent for this long counts as gone. */
const silentMs = 15_000
/** A gone engine's document is removed after this, by whichever engine starts next. */
const forgottenMs = 24 * 3600 * 1000

/** The engines of one database connection. */
export function engineModel(connection: Connection): Model<EngineDocument> {
  return modelOf<EngineDocument>(connection, 'Engine', schema, 'engines')
}

/** Says that this engine lives and what it can do; the first call registers it. Times are the database's. */
export async function beat(connection: Connection, engineId: string, features: EngineFeatures): Promise<void> {
  await engineModel(connection).updateOne(
    { _id: engineId },
    [
      {
        $set: {
          host: { $literal: hostname() },
          pid: process.pid,
          features: { $literal: features },
          startedAt: { $ifNull: ['$startedAt', '$$NOW'] },
          beatAt: '$$NOW',
        },
      },
    ],
    { upsert: true, updatePipeline: true },
  )
}

/** Takes an engine off the list, as the last thing it does. */
export async function signOff(connection: Connection, engineId: string): Promise<void> {
  await engineModel(connection).deleteOne({ _id: engineId })
}

/** The engines that gave a sign of life in the last 15 s, the latest first. A sign from the future is one of before the clock was set. */
export async function findLiveEngines(connection: Connection): Promise<EngineDocument[]> {
  const now = await readDatabaseTime(connection)
  return engineModel(connection)
    .find({ beatAt: { $gt: new Date(now.getTime() - silentMs), $lte: new Date(now.getTime() + silentMs) } })
    .sort({ beatAt: -1 })
    .limit(100)
    .lean<EngineDocument[]>()
}

/** What the product can do now, or null while no engine lives. */
export async function readFeatures(connection: Connection): Promise<EngineFeatures | null> {
  const [latest] = await findLiveEngines(connection)
  return latest ? EngineFeatures.parse(latest.features) : null
}

/**
 * Takes the work of dead engines of this host back at once, so that a restarted engine goes on within a second and not only when
 * the leases run out. An engine is dead when no process has its number, or when that number is now ours. Where the number
 * was given to another process, the lease runs out as usual. Answers how many jobs came back.
 */
export async function takeBackFromDead(queue: Queue, isAlive: (pid: number) => boolean = isProcess): Promise<number> {
  const engines = engineModel(queue.connection)
  const here = await engines.find({ host: hostname() }).lean()
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
