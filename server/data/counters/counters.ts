import { Schema, type Connection, type Model } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { modelOf } from '../model.ts'

/** What engines count, with the names of the labels. In the database, because an engine serves no requests and may exit after a job. */
export const counterLabels = {
  finished_jobs: ['kind'],
  failed_attempts: ['kind', 'code'],
  lost_leases: [],
  engine_starts: [],
  transcribed_seconds: ['model', 'language'],
  transcription_work_seconds: ['model', 'language'],
  transcribed_lines: ['certainty'],
  translated_lines: ['outcome'],
  translation_work_seconds: ['model'],
} as const satisfies Record<string, readonly string[]>

export type CounterName = keyof typeof counterLabels

/** An amount to add to a counter. */
export interface CounterIncrement {
  name: CounterName
  /** Names and codes; never content. */
  labels: Record<string, string>
  by: number
}

/** A number that only grows, identified by its name and labels. */
interface CounterDocument {
  /** Name and labels, in the order of the labels' names. */
  _id: string
  name: string
  labels: Record<string, string>
  value: number
}

const schema = new Schema<CounterDocument>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    labels: { type: Schema.Types.Mixed, required: true },
    value: { type: Number, required: true },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)

/** Adds to counters, which begin at 0. Increments of 0 are left out. */
export async function incrementCounters(
  connection: DatabaseConnection,
  counts: readonly CounterIncrement[],
): Promise<void> {
  const updates = counts
    .filter(({ by }) => by > 0)
    .map(({ name, labels, by }) => ({
      updateOne: {
        filter: { _id: idOf(name, labels) },
        update: { $inc: { value: by }, $setOnInsert: { name, labels } },
        upsert: true,
      },
    }))
  if (updates.length > 0) await counterModel(connection).bulkWrite(updates, { ordered: false })
}

/** Returns every counter, including names that this version does not know. */
export async function listCounters(
  connection: DatabaseConnection,
): Promise<{ name: string; labels: Record<string, string>; value: number }[]> {
  const counters = await counterModel(connection).find({}).sort({ _id: 1 }).lean()
  return counters.map(({ name, labels, value }) => ({ name, labels, value }))
}

function idOf(name: CounterName, labels: Record<string, string>): string {
  const sorted = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([name, sorted])
}

/** The counters of one database connection. */
export function counterModel(connection: Connection): Model<CounterDocument> {
  return modelOf<CounterDocument>(connection, 'Counter', schema, 'counters')
}
