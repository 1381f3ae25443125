import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { heldRecording, notHeld } from '../holds/held.ts'
import { toObjectId } from '../ids.ts'
import type { Queue } from '../jobs/queue.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import type { RecordingRecord } from '../recordings/recording-record.ts'
import { applyLifecycles } from './apply-lifecycles.ts'
import { inChunks } from './in-chunks.ts'

/** How long every removed recording can be restored at least, whatever else deletes recordings. */
export const undoMs = 10 * 60_000

/**
 * Hides recordings of an owner from everyone, with everything made from them; until `restorableUntil` they can be restored, then
 * `purgeRemoved` deletes them. Their queued jobs wait, and running jobs continue, so that results exist when a recording is restored.
 * Recordings on hold stay, and are returned as `held`.
 *
 * @param keptMs how long they can be restored, at least `undoMs`
 */
export async function moveToTrash(
  queue: Queue,
  ownerId: string,
  ids: string[],
  keptMs = undoMs,
): Promise<{ ids: string[]; held: string[]; restorableUntil: Date }> {
  const deletedAt = await readDatabaseTime(queue.connection)
  const purgeAt = new Date(deletedAt.getTime() + Math.max(keptMs, undoMs))
  const removed: string[] = []
  const held: string[] = []
  await inChunks(ids, async (chunk) => {
    const change = await nextChange(queue.connection)
    const kept = { ownerId: toObjectId(ownerId), deletedAt: null }
    const own = await findIds(queue.connection, chunk, kept)
    await recordingModel(queue.connection).updateMany(
      { _id: { $in: own.map(toObjectId) }, ...kept, ...notHeld },
      { $set: { deletedAt, purgeAt, change }, $inc: { version: 1 } },
    )
    const stayed = new Set(await findIds(queue.connection, own, { ...kept, ...heldRecording }))
    const gone = own.filter((id) => !stayed.has(id))
    await applyLifecycles(queue, ownerId, gone)
    removed.push(...gone)
    held.push(...stayed)
  })
  return { ids: removed, held, restorableUntil: purgeAt }
}

/** Restores removed recordings of an owner. Returns the ids of those restored; for the others, the time was up. */
export async function restoreFromTrash(queue: Queue, ownerId: string, ids: string[]): Promise<string[]> {
  const restored: string[] = []
  await inChunks([...new Set(ids)], async (chunk) => {
    const change = await nextChange(queue.connection)
    const restorable = { ownerId: toObjectId(ownerId), purgeAt: { $gt: await readDatabaseTime(queue.connection) } }
    const own = await findIds(queue.connection, chunk, restorable)
    const { modifiedCount } = await recordingModel(queue.connection).updateMany(
      { _id: { $in: own.map(toObjectId) }, ...restorable },
      { $set: { deletedAt: null, change }, $unset: { purgeAt: 1 }, $inc: { version: 1 } },
    )
    await applyLifecycles(queue, ownerId, own)
    // Another tab may have restored them first.
    if (modifiedCount > 0) restored.push(...own)
  })
  return restored
}

/** A removed recording that its owner can restore until `purgeAt`. */
export type TrashedRecording = Pick<RecordingRecord, 'id' | 'name' | 'durationMs' | 'sizeBytes' | 'createdAt'> & {
  deletedAt: Date
  purgeAt: Date
}

/** Returns a page of what an owner can restore, last removed first, with the total number and bytes. */
export async function listTrash(
  connection: DatabaseConnection,
  ownerId: string,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ recordings: TrashedRecording[]; total: number; sizeBytes: number }> {
  const restorable = {
    ownerId: toObjectId(ownerId),
    deletedAt: { $gt: new Date(0) },
    purgeAt: { $gt: await readDatabaseTime(connection) },
  }
  const model = recordingModel(connection)
  const [found, [sums]] = await Promise.all([
    model
      .find(restorable, trashedFields)
      .sort({ deletedAt: -1, createdAt: -1 })
      .skip((page - 1) * perPage)
      .limit(perPage)
      .lean(),
    model.aggregate<{ total: number; sizeBytes: number }>([
      { $match: restorable },
      { $group: { _id: null, total: { $sum: 1 }, sizeBytes: { $sum: '$sizeBytes' } } },
    ]),
  ])
  const recordings = found.flatMap(({ _id, deletedAt, purgeAt, name, durationMs, sizeBytes, createdAt }) =>
    deletedAt && purgeAt ? [{ id: _id.toHexString(), name, durationMs, sizeBytes, createdAt, deletedAt, purgeAt }] : [],
  )
  return { recordings, total: sums?.total ?? 0, sizeBytes: sums?.sizeBytes ?? 0 }
}

const trashedFields = { name: 1, durationMs: 1, sizeBytes: 1, createdAt: 1, deletedAt: 1, purgeAt: 1 } as const

async function findIds(connection: DatabaseConnection, ids: string[], condition: object): Promise<string[]> {
  const found = await recordingModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) }, ...condition }, { _id: 1 })
    .batchSize(ids.length)
    .lean()
  return found.map(({ _id }) => _id.toHexString())
}
