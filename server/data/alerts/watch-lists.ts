import { maxWatchLists } from '#contract/alerts.ts'
import { AppError } from '#contract/app-error.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId, withId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { insertInSlot, type SlotLimit } from '../slots.ts'
import { deleteAlerts } from './change-alerts.ts'
import { watchListModel, type WatchListDocument, type WatchListScanDocument } from './watch-list-model.ts'

/** What a user wants to be notified about: see WatchListInput. */
export interface WatchListRecord extends Omit<WatchListDocument, '_id' | 'ownerId' | 'scan' | 'slot'> {
  id: string
  ownerId: string
  scan: WatchListScanRecord | null
}

export interface WatchListScanRecord extends Omit<WatchListScanDocument, 'afterId'> {
  afterId: string | null
}

export type WatchListFields = Omit<WatchListRecord, 'id' | 'ownerId' | 'activeSince' | 'createdAt' | 'scan'>

/** Creates the repository of watch lists. Changes return null if the owner has no such list, `'taken'` if another list has that name. */
export function createWatchListRepository(connection: DatabaseConnection) {
  const lists = watchListModel(connection)

  /** Returns the watch lists of an owner by name. */
  async function list(ownerId: string): Promise<WatchListRecord[]> {
    const found = await lists
      .find({ ownerId: toObjectId(ownerId) })
      .sort({ name: 1 })
      .limit(maxWatchLists)
      .lean<WatchListDocument[]>()
    return found.map(toRecord)
  }

  async function find(ownerId: string, id: string): Promise<WatchListRecord | null> {
    const found = await lists.findOne(toFilter(ownerId, id)).lean<WatchListDocument>()
    return found && toRecord(found)
  }

  /** Throws `conflict` if the owner has the maximum number of lists. */
  async function insert(ownerId: string, fields: WatchListFields): Promise<WatchListRecord | 'taken'> {
    const now = await readDatabaseTime(connection)
    const created = { ...fields, ownerId: toObjectId(ownerId), activeSince: now, createdAt: now, scan: null }
    return unlessTaken(() =>
      insertInSlot(limitOf(lists, ownerId), async (slot) =>
        toRecord((await lists.create({ ...created, slot })).toObject()),
      ),
    )
  }

  /** A list that is switched on applies to jobs that finish afterwards. */
  async function update(
    ownerId: string,
    id: string,
    fields: WatchListFields,
  ): Promise<WatchListRecord | 'taken' | null> {
    const before = await find(ownerId, id)
    if (!before) return null
    const activeSince = fields.isOn && !before.isOn ? await readDatabaseTime(connection) : before.activeSince
    return unlessTaken(() => change(ownerId, id, { ...fields, activeSince }))
  }

  async function change(
    ownerId: string,
    id: string,
    fields: Partial<Omit<WatchListDocument, '_id' | 'ownerId'>>,
  ): Promise<WatchListRecord | null> {
    const changed = await lists
      .findOneAndUpdate(toFilter(ownerId, id), { $set: fields }, { returnDocument: 'after' })
      .lean<WatchListDocument>()
    return changed && toRecord(changed)
  }

  /** Deletes a list with its alerts. Returns whether there was one. */
  async function remove(ownerId: string, id: string): Promise<boolean> {
    const { deletedCount } = await lists.deleteOne(toFilter(ownerId, id))
    await deleteAlerts(connection, { ownerId: toObjectId(ownerId), watchListId: toObjectId(id) })
    return deletedCount === 1
  }

  /** Starts a scan of the owner's library. Returns null where there is no such list or its scan runs already. */
  async function startScan(ownerId: string, id: string): Promise<WatchListRecord | null> {
    const total = await recordingModel(connection).countDocuments({ ownerId: toObjectId(ownerId), deletedAt: null })
    const startedAt = await readDatabaseTime(connection)
    const scan = { state: 'running' as const, startedAt, afterId: null, done: 0, total, raised: 0 }
    const started = await lists
      .findOneAndUpdate(
        { ...toFilter(ownerId, id), 'scan.state': { $ne: 'running' } },
        { $set: { scan } },
        { returnDocument: 'after' },
      )
      .lean<WatchListDocument>()
    return started && toRecord(started)
  }

  async function cancelScan(ownerId: string, id: string): Promise<WatchListRecord | null> {
    await lists.updateOne(
      { ...toFilter(ownerId, id), 'scan.state': 'running' },
      { $set: { 'scan.state': 'cancelled' } },
    )
    return find(ownerId, id)
  }

  return { list, find, insert, update, remove, startScan, cancelScan }
}

/** Returns the running scan that was started first, or null. */
export async function findRunningScan(connection: DatabaseConnection): Promise<WatchListRecord | null> {
  const found = await watchListModel(connection)
    .findOne({ 'scan.state': 'running' })
    .sort({ 'scan.startedAt': 1 })
    .lean<WatchListDocument>()
  return found && toRecord(found)
}

/**
 * Records that a scan has processed a recording, or has finished if `step` is null. A scan that was cancelled or restarted stays as it is.
 */
export async function advanceScan(
  connection: DatabaseConnection,
  { id, scan }: Pick<WatchListRecord, 'id' | 'scan'>,
  step: { recordingId: string; raised: number } | null,
): Promise<void> {
  await watchListModel(connection).updateOne(
    { _id: toObjectId(id), 'scan.state': 'running', 'scan.startedAt': scan?.startedAt ?? new Date(0) },
    step
      ? {
          $set: { 'scan.afterId': toObjectId(step.recordingId) },
          $inc: { 'scan.done': 1, 'scan.raised': step.raised },
        }
      : { $set: { 'scan.state': 'done' } },
  )
}

function limitOf(model: ReturnType<typeof watchListModel>, ownerId: string): SlotLimit<WatchListDocument> {
  return {
    model,
    scope: { ownerId: toObjectId(ownerId) },
    max: maxWatchLists,
    fullError: () =>
      new AppError('conflict', `You can have at most ${maxWatchLists} watch lists`, {
        help: 'Delete watch lists that you no longer need.',
      }),
  }
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T | 'taken'> {
  try {
    return await write()
  } catch (error) {
    if (isDuplicateKey(error)) return 'taken'
    throw error
  }
}

function toFilter(ownerId: string, id: string) {
  return { _id: toObjectId(id), ownerId: toObjectId(ownerId) }
}

function toRecord({ scan, slot: _slot, ...document }: WatchListDocument): WatchListRecord {
  return {
    ...withId(document),
    ownerId: document.ownerId.toHexString(),
    scan: scan ? { ...scan, afterId: scan.afterId?.toHexString() ?? null } : null,
  }
}
