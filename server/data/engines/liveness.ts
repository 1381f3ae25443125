import { setTimeout as wait } from 'node:timers/promises'
import { beginRollCall, readRollCall, type RollCall } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { engineModel, type EngineDocument } from './engine-model.ts'

/** A working engine without a heartbeat for this long counts as stopped. */
const heartbeatTimeoutMs = 15_000
/** A resting engine that has not answered a roll call for this long counts as stopped: it checks for one about once a second. */
const answerTimeoutMs = 6_000
/** Minimum interval between roll calls: longer than an answer may take. */
const rollCallIntervalMs = 15_000
const settleIntervalMs = 250
/** Age at which the next engine to start removes a stopped engine's document. A resting engine writes its document more often. */
export const engineExpiryMs = 24 * 3_600_000

/** The engines that recorded a heartbeat within a day, by whether they are alive. */
export interface EngineLiveness {
  live: EngineDocument[]
  stopped: EngineDocument[]
  /** Whether an engine counts as alive although it has not answered yet. */
  isUnsettled: boolean
  /** By the database's clock. */
  now: Date
}

/**
 * Returns which engines are alive. An engine that works, or did until a moment ago, records heartbeats; a resting one records none, and
 * a roll call asks for one if its last is older. It counts as alive until it fails to answer. At most 100, newest heartbeat first.
 */
export async function readLiveness(connection: DatabaseConnection): Promise<EngineLiveness> {
  const now = await readDatabaseTime(connection)
  const engines = await engineModel(connection)
    .find({ beatAt: { $gt: new Date(now.getTime() - engineExpiryMs) } })
    .sort({ beatAt: -1 })
    .limit(100)
    .lean<EngineDocument[]>()
  const isAsked = engines.some((engine) => engine.isResting && !isRecent(engine, now))
  const rollCall = isAsked ? await callRoll(connection, engines, now) : { number: 0, at: now }
  const { live = [], stopped = [] } = Object.groupBy(engines, (engine) =>
    isRecent(engine, now) || isAtRest(engine, now, rollCall) ? 'live' : 'stopped',
  )
  const isUnsettled = live.some((engine) => !isRecent(engine, now) && (engine.rollCall ?? 0) < rollCall.number)
  return { live, stopped, isUnsettled, now }
}

/** Waits until every resting engine has answered or counts as stopped, for commands that check only once. */
export async function settleLiveness(connection: DatabaseConnection): Promise<void> {
  while ((await readLiveness(connection)).isUnsettled) await wait(settleIntervalMs)
}

/** Begins a roll call if a resting engine may be alive and no roll call has just begun. Returns the last one. */
async function callRoll(connection: DatabaseConnection, engines: EngineDocument[], now: Date): Promise<RollCall> {
  const last = await readRollCall(connection)
  if (Math.abs(now.getTime() - last.at.getTime()) < rollCallIntervalMs) return last
  if (!engines.some((engine) => !isRecent(engine, now) && isAtRest(engine, now, last))) return last
  await beginRollCall(connection, last.number)
  return { number: last.number + 1, at: now }
}

/** Returns whether the last heartbeat is recent. A heartbeat from the future was written before the clock was set back. */
function isRecent({ beatAt }: EngineDocument, now: Date): boolean {
  return Math.abs(now.getTime() - beatAt.getTime()) < heartbeatTimeoutMs
}

/** Returns whether an engine rests and has answered every roll call that it had time to answer. Compares numbers, as clocks may jump. */
function isAtRest({ isResting, rollCall = 0 }: EngineDocument, now: Date, last: RollCall): boolean {
  if (!isResting) return false
  const isAnswering = Math.abs(now.getTime() - last.at.getTime()) < answerTimeoutMs
  return rollCall >= last.number || (isAnswering && rollCall === last.number - 1)
}
