import type { Model, QueryFilter, Types } from 'mongoose'
import { alertModel } from '../alerts/alert-model.ts'
import { alertRunModel } from '../alerts/alert-run-model.ts'
import { caseRecordingModel } from '../cases/case-recording-model.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { searchEntryModel } from '../search/search-entry-model.ts'
import { searchLinesModel } from '../search/search-lines-model.ts'
import { libraryEntryModel } from './library-entry-model.ts'

/** A recording and its owner. */
export interface OwnedRecording {
  id: string
  ownerId: string
}

/** Returns the next page of recordings of all owners, in a fixed but unspecified order; empty at the end. */
export type RecordingPager = (connection: DatabaseConnection, after: OwnedRecording | null) => Promise<OwnedRecording[]>

/** Small enough that a page is read and compared well within the time limit of a command. */
const perPage = 100
const beforeAll = '0'.repeat(24)

/** Returns the next recordings that are stored after an id, in the order of their ids, deleted ones included; null for the first. */
export async function listStoredRecordings(
  connection: DatabaseConnection,
  after: Pick<OwnedRecording, 'id'> | null,
): Promise<OwnedRecording[]> {
  return listById(recordingModel(connection), after)
}

/** Pagers for the collections that are derived from recordings or list them. Each returns the recordings that have documents there. */
export const derivedRecords = {
  entries: (connection, after) => listById(libraryEntryModel(connection), after, { deletedAt: null }),
  search: (connection, after) => listById(searchEntryModel(connection), after),
  searchLines: (connection, after) => listByOwner(searchLinesModel(connection), after),
  alerts: (connection, after) => listByOwner(alertModel(connection), after),
  alertRuns: (connection, after) => listById(alertRunModel(connection), after),
  cases: async (connection, after) => {
    const found = await caseRecordingModel(connection)
      .find({ recordingId: { $gt: toObjectId(after?.id ?? beforeAll) } }, { recordingId: 1, ownerId: 1 })
      .sort({ recordingId: 1 })
      .limit(perPage)
      .lean()
    return found.map(({ recordingId, ownerId }) => toOwned(recordingId, ownerId))
  },
} as const satisfies Record<string, RecordingPager>

/** Returns the recordings of one page of an owner's hidden alerts, newest first, and the start of the next page. */
export async function listHiddenAlerts(
  connection: DatabaseConnection,
  ownerId: string,
  before: string | null,
): Promise<{ recordingIds: string[]; before: string | null }> {
  const pageSize = 1_000
  const found = await alertModel(connection)
    .find(
      { ownerId: toObjectId(ownerId), isHidden: true, ...(before !== null && { _id: { $lt: toObjectId(before) } }) },
      { recordingId: 1 },
    )
    .sort({ _id: -1 })
    .limit(pageSize)
    .batchSize(pageSize)
    .lean()
  const recordingIds = [...new Set(found.map(({ recordingId }) => recordingId.toHexString()))]
  return { recordingIds, before: found.length < pageSize ? null : (found.at(-1)?._id.toHexString() ?? null) }
}

/** Returns whether a recording has an alert that is shown. */
export async function hasShownAlerts(
  connection: DatabaseConnection,
  { id, ownerId }: OwnedRecording,
): Promise<boolean> {
  const own = { ownerId: toObjectId(ownerId), recordingId: toObjectId(id), isHidden: false }
  return (await alertModel(connection).exists(own)) !== null
}

/** Lists by `_id`, for collections whose documents share the id of their recording. */
async function listById<Document extends { _id: Types.ObjectId; ownerId: Types.ObjectId }>(
  model: Model<Document>,
  after: Pick<OwnedRecording, 'id'> | null,
  condition: QueryFilter<Document> = {},
): Promise<OwnedRecording[]> {
  const later = { _id: { $gt: toObjectId(after?.id ?? beforeAll) }, ...condition } as QueryFilter<Document> // uses only fields of Document
  const found = await model
    .find(later, { ownerId: 1 })
    .sort({ _id: 1 })
    .limit(perPage)
    .lean<Pick<Document, '_id' | 'ownerId'>[]>()
  return found.map(({ _id, ownerId }) => toOwned(_id, ownerId))
}

/** For collections with many documents per recording: uses an index on owner and recording, and returns each recording once. */
async function listByOwner<Document extends { ownerId: Types.ObjectId; recordingId: Types.ObjectId }>(
  model: Model<Document>,
  after: OwnedRecording | null,
): Promise<OwnedRecording[]> {
  const found: OwnedRecording[] = []
  for (let last = after; found.length < perPage;) {
    const next = await findNext(model, last)
    if (!next) break
    found.push(next)
    last = next
  }
  return found
}

async function findNext<Document extends { ownerId: Types.ObjectId; recordingId: Types.ObjectId }>(
  model: Model<Document>,
  after: OwnedRecording | null,
): Promise<OwnedRecording | undefined> {
  const ownerId = toObjectId(after?.ownerId ?? beforeAll)
  const conditions = [
    ...(after ? [{ ownerId, recordingId: { $gt: toObjectId(after.id) } }] : []),
    { ownerId: { $gt: ownerId } },
  ]
  for (const condition of conditions) {
    const [found] = await model
      .find(condition as QueryFilter<Document>, { ownerId: 1, recordingId: 1 }) // uses only fields of Document
      .sort({ ownerId: 1, recordingId: 1 })
      .limit(1)
      .lean<Pick<Document, 'ownerId' | 'recordingId'>[]>()
    if (found) return toOwned(found.recordingId, found.ownerId)
  }
  return undefined
}

function toOwned(id: Types.ObjectId, ownerId: Types.ObjectId): OwnedRecording {
  return { id: id.toHexString(), ownerId: ownerId.toHexString() }
}
