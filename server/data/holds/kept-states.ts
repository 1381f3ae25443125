import type { KeptStateKind } from '#contract/holds.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { packJson, toBytes, unpackJson } from '../jobs/packed-json.ts'
import { keptStateModel, type KeptStateDocument } from './kept-state-model.ts'

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

/** Keeps what is about to be changed of something on hold. Repeating it keeps it twice. */
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

/** Returns what was kept, the first change first. */
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

/** Deletes what was kept of a recording or a case, or of all that an owner has. */
export async function removeKeptStates(
  connection: DatabaseConnection,
  { ownerId, subjectId }: { ownerId: string; subjectId?: string },
): Promise<void> {
  const owned = { ownerId: toObjectId(ownerId) }
  await keptStateModel(connection).deleteMany(subjectId ? { ...owned, subjectId: toObjectId(subjectId) } : owned)
}
