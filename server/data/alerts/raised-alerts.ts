import { alertRetentionDays, maxAlertsPerRecording } from '#contract/alerts.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { newId, toObjectId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import { alertDigestModel } from './alert-digest-model.ts'
import { alertModel, type AlertDocument } from './alert-model.ts'
import { toAlertRecord, type AlertRecord } from './alert-record.ts'
import { alertRunModel } from './alert-run-model.ts'
import { deleteAlerts, updateAlerts } from './change-alerts.ts'
import { watchListModel } from './watch-list-model.ts'

interface Owner {
  ownerId: string
  recordingId: string
}

const dayMs = 24 * 60 * 60_000
/** Alerts inserted by one command. */
const batchSize = 500

/** What identifies a hit, and where to look for it. */
export type AlertPlace = Pick<
  AlertRecord,
  | 'id'
  | 'watchListId'
  | 'jobId'
  | 'key'
  | 'word'
  | 'timeMs'
  | 'side'
  | 'isSimilar'
  | 'isTranslation'
  | 'isGone'
  | 'isHidden'
>

export type NewAlert = Omit<
  AlertRecord,
  'id' | 'ownerId' | 'recordingId' | 'state' | 'isGone' | 'isHidden' | 'createdAt' | 'expiresAt'
>

/** Returns the alerts of a recording. */
export async function listAlertPlaces(connection: DatabaseConnection, owner: Owner): Promise<AlertPlace[]> {
  const fields = { sentence: 0, markStart: 0, markEnd: 0 }
  const found = await alertModel(connection)
    .find(toFilter(owner), fields)
    .limit(maxAlertsPerRecording * 2)
    .lean<AlertDocument[]>()
  return found.map(toAlertRecord)
}

/**
 * Stores alerts in order of time; those that already exist stay unchanged. Returns how many were new. The caller
 * checks afterwards that the recording still exists: see `markAnnotated`.
 */
export async function insertAlerts(connection: DatabaseConnection, owner: Owner, alerts: NewAlert[]): Promise<number> {
  const createdAt = await readDatabaseTime(connection)
  const expiresAt = new Date(createdAt.getTime() + alertRetentionDays * dayMs)
  // Lists show the newest id first, and the hits of a recording in order of time.
  const ids = alerts.map(newId).toReversed()
  const documents = alerts.map(({ watchListId, jobId, ...fields }, index) => ({
    ...fields,
    ...toFilter(owner),
    _id: toObjectId(ids[index] ?? newId()),
    watchListId: toObjectId(watchListId),
    jobId: jobId === null ? null : toObjectId(jobId),
    state: 'new' as const,
    isGone: false,
    isHidden: false,
    createdAt,
    expiresAt,
  }))
  let inserted = 0
  for (let at = 0; at < documents.length; at += batchSize) {
    inserted += await insertNew(connection, documents.slice(at, at + batchSize))
  }
  return inserted
}

async function insertNew(connection: DatabaseConnection, documents: AlertDocument[]): Promise<number> {
  try {
    const result = await alertModel(connection).collection.insertMany(documents, { ordered: false })
    return result.insertedCount
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    return error instanceof Error && 'insertedCount' in error ? Number(error.insertedCount) : 0
  }
}

/** Marks alerts whose words the text no longer contains, and unmarks those whose words are back. */
export async function setGone(
  connection: DatabaseConnection,
  ownerId: string,
  { ids, isGone }: { ids: string[]; isGone: boolean },
): Promise<void> {
  if (ids.length === 0) return
  await updateAlerts(
    connection,
    { _id: { $in: ids.map(toObjectId) }, ownerId: toObjectId(ownerId), isGone: !isGone },
    { $set: { isGone } },
  )
}

/** Hides the alerts of recordings in the trash, or shows those of restored ones. Only applyLifecycles keeps alerts in step. */
export async function setAlertsHidden(
  connection: DatabaseConnection,
  { ownerId, recordingIds, isHidden }: { ownerId: string; recordingIds: string[]; isHidden: boolean },
): Promise<void> {
  await updateAlerts(
    connection,
    { ownerId: toObjectId(ownerId), recordingId: { $in: recordingIds.map(toObjectId) }, isHidden: !isHidden },
    { $set: { isHidden } },
  )
}

/** Returns the jobs of a recording to which the watch lists were applied. */
export async function readHandledJobs(connection: DatabaseConnection, owner: Owner): Promise<Set<string>> {
  const { recordingId, ownerId } = toFilter(owner)
  const found = await alertRunModel(connection).findOne({ _id: recordingId, ownerId }).lean()
  return new Set(found?.jobIds.map((id) => id.toHexString()))
}

/** Records to which jobs the watch lists were applied, and whether the recording has more hits than the maximum number of alerts. */
export async function saveRun(
  connection: DatabaseConnection,
  owner: Owner,
  { jobIds, isCapped }: { jobIds?: string[]; isCapped?: boolean },
): Promise<void> {
  const { recordingId, ownerId } = toFilter(owner)
  const fields = { ...(jobIds && { jobIds: jobIds.map(toObjectId) }), ...(isCapped !== undefined && { isCapped }) }
  await alertRunModel(connection).updateOne({ _id: recordingId, ownerId }, { $set: fields }, { upsert: true })
}

/** Deletes the alerts of a recording, or everything of an owner where none is given. */
export async function removeAlerts(
  connection: DatabaseConnection,
  { ownerId: owner, recordingId }: { ownerId: string; recordingId?: string },
): Promise<void> {
  const ownerId = toObjectId(owner)
  if (recordingId !== undefined) {
    await deleteAlerts(connection, { ownerId, recordingId: toObjectId(recordingId) })
    await alertRunModel(connection).deleteOne({ _id: toObjectId(recordingId), ownerId })
    return
  }
  await watchListModel(connection).deleteMany({ ownerId })
  await deleteAlerts(connection, { ownerId })
  await alertRunModel(connection).deleteMany({ ownerId })
  await alertDigestModel(connection).deleteOne({ _id: ownerId })
}

function toFilter({ ownerId, recordingId }: Owner) {
  return { ownerId: toObjectId(ownerId), recordingId: toObjectId(recordingId) }
}
