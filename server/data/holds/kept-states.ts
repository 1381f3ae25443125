import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { KeptStateKind } from '#contract/holds.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { packJson, toBytes, unpackJson } from '../jobs/packed-json.ts'
import { modelOf } from '../model.ts'

/** A recording or a case, with its owner. */
export interface KeptSubject {
  ownerId: string
  subjectId: string
}

export interface KeptStateRecord {
  kind: KeptStateKind
  state: unknown
  keptAt: Date
}

/** The state of a part of a recording or case before it was changed while on hold. */
interface KeptStateDocument {
  _id: Types.ObjectId
  /** The owner of the recording or the case. */
  ownerId: Types.ObjectId
  /** The recording or the case. */
  subjectId: Types.ObjectId
  kind: KeptStateKind
  /** Packed JSON. */
  data: Uint8Array
  keptAt: Date
}

const schema = new Schema<KeptStateDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    subjectId: { type: Schema.Types.ObjectId, required: true },
    kind: { type: String, required: true },
    data: { type: Schema.Types.Buffer, required: true },
    keptAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, subjectId: 1, _id: 1 })

/** Keeps the state of something on hold that is about to be changed. A repeated call keeps it twice. */
export async function keepState(
  connection: DatabaseConnection,
  { ownerId, subjectId }: KeptSubject,
  { kind, state }: { kind: KeptStateKind; state: unknown },
): Promise<void> {
  const data = await packJson(state)
  const keptAt = await readDatabaseTime(connection)
  const subject = { ownerId: toObjectId(ownerId), subjectId: toObjectId(subjectId) }
  await keptStateModel(connection).create({ ...subject, kind, data, keptAt })
}

/** Yields the kept states, oldest change first. */
export async function* readKeptStates(
  connection: DatabaseConnection,
  { ownerId, subjectId }: KeptSubject,
): AsyncGenerator<KeptStateRecord> {
  const states = keptStateModel(connection)
    .find({ ownerId: toObjectId(ownerId), subjectId: toObjectId(subjectId) })
    .sort({ _id: 1 })
    .batchSize(100)
    .lean<KeptStateDocument>()
    .cursor()
  for await (const { kind, data, keptAt } of states) yield { kind, keptAt, state: await unpackJson(toBytes(data)) }
}

/** Deletes the kept states of a recording or a case, or of everything an owner has. */
export async function removeKeptStates(
  connection: DatabaseConnection,
  { ownerId, subjectId }: { ownerId: string; subjectId?: string },
): Promise<void> {
  const owned = { ownerId: toObjectId(ownerId) }
  await keptStateModel(connection).deleteMany(subjectId ? { ...owned, subjectId: toObjectId(subjectId) } : owned)
}

/** The kept states of one database connection. */
export function keptStateModel(connection: Connection): Model<KeptStateDocument> {
  return modelOf<KeptStateDocument>(connection, 'KeptState', schema, 'kept_states')
}
