import { Schema, type Model } from 'mongoose'
import type { DatabaseConnection } from './connect.ts'
import { modelOf } from './model.ts'

interface CounterDocument {
  _id: string
  value: number
  /** For roll calls: when the last one began. */
  askedAt?: Date
}

const counterId = 'changes'
const rollCallId = 'roll-calls'
const schema = new Schema<CounterDocument>(
  {
    _id: { type: String, required: true },
    value: { type: Number, required: true },
    askedAt: Date,
  },
  { versionKey: false, autoIndex: false },
)

/** Returns the counters of one database connection. The counters of metrics share the collection, with other fields. */
export function counterModel(connection: DatabaseConnection): Model<CounterDocument> {
  return modelOf<CounterDocument>(connection, 'ChangeCounter', schema, 'counters')
}

/**
 * Returns the number of the next change, for a document's field `change`: it only ever grows, independently of any clock. It is assigned
 * before the document is written, so numbers may become visible out of order, and some never do.
 */
export async function nextChange(connection: DatabaseConnection): Promise<number> {
  const counter = await counterModel(connection)
    .findOneAndUpdate({ _id: counterId }, { $inc: { value: 1 } }, { upsert: true, returnDocument: 'after' })
    .lean<CounterDocument>()
  if (!counter) throw new Error('The counter of changes could not be written')
  return counter.value
}

/** Readers of changes wait for a number no longer than this plus the time a write may take. */
const maxNumberAgeMs = 1_000

/**
 * Returns a function that returns the number for several documents written one after another for one change: the same number, unless
 * earlier writes took so long that readers may have moved past it.
 */
export function createChangeNumber(connection: DatabaseConnection): () => Promise<number> {
  let taken: { value: number; atMs: number } | undefined
  return async () => {
    const atMs = performance.now()
    if (!taken || atMs - taken.atMs > maxNumberAgeMs) taken = { value: await nextChange(connection), atMs }
    return taken.value
  }
}

/** Returns the last assigned number; 0 before the first. */
export async function readLastChange(connection: DatabaseConnection): Promise<number> {
  const counter = await counterModel(connection).findById(counterId).lean<CounterDocument>()
  return counter?.value ?? 0
}

/** Raises the counter to `value` if it is lower, for instance after restoring a backup whose documents are newer than its counter. */
export async function raiseLastChange(connection: DatabaseConnection, value: number): Promise<void> {
  await counterModel(connection).updateOne({ _id: counterId }, { $max: { value } }, { upsert: true })
}

/** The numbers that every process reads about once a second: see activity.ts. */
export interface ChangeNumbers {
  /** The number of the last change. */
  changes: number
  /** The number of the last roll call. */
  rollCalls: number
}

export async function readChangeNumbers(connection: DatabaseConnection): Promise<ChangeNumbers> {
  const found = await counterModel(connection)
    .find({ _id: { $in: [counterId, rollCallId] } })
    .lean<CounterDocument[]>()
  const valueOf = (id: string) => found.find(({ _id }) => _id === id)?.value ?? 0
  return { changes: valueOf(counterId), rollCalls: valueOf(rollCallId) }
}

/** The last time that resting engines were asked whether they are alive. */
export interface RollCall {
  /** 0 before the first. */
  number: number
  /** By the database's clock. */
  at: Date
}

export async function readRollCall(connection: DatabaseConnection): Promise<RollCall> {
  const found = await counterModel(connection).findById(rollCallId).lean<CounterDocument>()
  return { number: found?.value ?? 0, at: found?.askedAt ?? new Date(0) }
}

/**
 * Asks every resting engine to record a heartbeat. Two processes that ask at the same time begin only one roll call.
 *
 * @param number of the last roll call read
 */
export async function beginRollCall(connection: DatabaseConnection, number: number): Promise<void> {
  const counters = counterModel(connection)
  if (number === 0) await counters.updateOne({ _id: rollCallId }, { $setOnInsert: { value: 0 } }, { upsert: true })
  await counters.updateOne(
    { _id: rollCallId, value: number },
    [{ $set: { value: { $add: ['$value', 1] }, askedAt: '$$NOW' } }],
    { updatePipeline: true },
  )
}
