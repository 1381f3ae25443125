import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { maxReviewedHits } from '#contract/endpoints/editing.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { hasRoomFor } from '../list-room.ts'
import { isDuplicateKey, modelOf } from '../model.ts'
import type { CollectionRead } from '../read-together.ts'

interface Owner {
  ownerId: string
  recordingId: string
}

/** The hits of one recording that were marked as reviewed. */
interface ReviewedHitsDocument {
  /** The recording's id. */
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  /** Without duplicates: see hitKey. */
  keys: string[]
}

const schema = new Schema<ReviewedHitsDocument>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    keys: { type: [String], required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1 })

/** Returns the read for the keys of the hits marked as reviewed in an owner's recording. */
export function reviewedHitsRead(connection: DatabaseConnection, owner: Owner): CollectionRead<ReviewedHitsDocument> {
  return { model: reviewedHitsModel(connection), filter: toFilter(owner) }
}

/**
 * Adds keys and returns all of them. The caller checks afterwards that the recording still exists: see `markAnnotated`. Throws `conflict`
 * where there would be too many.
 */
export async function addReviewedHits(
  connection: DatabaseConnection,
  owner: Owner,
  added: string[],
): Promise<string[]> {
  const keys = [...new Set(added)]
  const hits = reviewedHitsModel(connection)
  // Two steps: MongoDB rejects `$expr`, which `hasRoomFor` needs, in the filter of an upsert.
  await hits.updateOne(toFilter(owner), { $setOnInsert: { keys: [] } }, { upsert: true }).catch(ignoreDuplicate)
  const stored = await hits
    .findOneAndUpdate(
      { ...toFilter(owner), ...hasRoomFor('keys', keys, maxReviewedHits) },
      { $addToSet: { keys: { $each: keys } } },
      { returnDocument: 'after' },
    )
    .lean<ReviewedHitsDocument>()
  if (stored) return stored.keys
  if (await hits.exists(toFilter(owner))) throw tooManyReviewed()
  return [] // deleted with its recording, which the caller finds
}

/** Removes keys and returns the remaining ones. */
export async function dropReviewedHits(
  connection: DatabaseConnection,
  owner: Owner,
  keys: string[],
): Promise<string[]> {
  const stored = await reviewedHitsModel(connection)
    .findOneAndUpdate(toFilter(owner), { $pullAll: { keys } }, { returnDocument: 'after' })
    .lean<ReviewedHitsDocument>()
  return stored?.keys ?? []
}

/** Deletes the reviewed hits of a recording, or of all recordings of an owner. */
export async function removeReviewedHits(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId?: string },
): Promise<void> {
  const owned = { ownerId: toObjectId(ownerId) }
  await reviewedHitsModel(connection).deleteMany(recordingId ? { ...owned, _id: toObjectId(recordingId) } : owned)
}

/** Ignores that another request has just inserted the document. */
function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateKey(error)) throw error
}

function tooManyReviewed(): AppError {
  const max = maxReviewedHits.toLocaleString('en')
  return new AppError('conflict', `At most ${max} hits of a recording can be marked as reviewed`)
}

function toFilter({ ownerId, recordingId }: Owner) {
  return { _id: toObjectId(recordingId), ownerId: toObjectId(ownerId) }
}

/** The reviewed hits of one database connection. */
export function reviewedHitsModel(connection: Connection): Model<ReviewedHitsDocument> {
  return modelOf<ReviewedHitsDocument>(connection, 'ReviewedHits', schema, 'reviewed_hits')
}
