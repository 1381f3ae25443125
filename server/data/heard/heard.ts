import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { addHeard, type HeardChannels } from '#contract/heard.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import type { CollectionRead } from '../read-together.ts'
import { isDuplicateKey, modelOf } from '../model.ts'

/** An owner's recording and a person who listens to it. */
export interface HeardKey {
  ownerId: string
  recordingId: string
  userId: string
}

/** Returns the share of the lines that were heard, with the text it was counted on. */
type CountShare = (channels: HeardChannels) => CountedShare
interface CountedShare {
  share: number
  /** See reviewedText. */
  countedText: string
}

export type HeardRecord = CountedShare & { channels: HeardChannels; revision: number }

const nothingHeard: HeardRecord = { channels: [], revision: 0, share: 0, countedText: '' }

/** What one person heard of one recording. */
export interface HeardDocument {
  _id: Types.ObjectId
  recordingId: Types.ObjectId
  /** The owner of the recording. */
  ownerId: Types.ObjectId
  /** The person who listened. */
  userId: Types.ObjectId
  revision: number
  channels: HeardChannels
  /** The share of the lines that were heard, 0 to 1. */
  share: number
  /** The text that the share was counted on: see reviewedText. */
  countedText: string
}

const schema = new Schema<HeardDocument>(
  {
    recordingId: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    revision: { type: Number, required: true },
    channels: { type: Schema.Types.Mixed, required: true },
    share: { type: Number, required: true },
    countedText: { type: String, default: '' },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ userId: 1, recordingId: 1 }, { unique: true })
schema.index({ ownerId: 1, recordingId: 1 })

/** Returns what a person heard of a recording. */
export async function findHeard(connection: DatabaseConnection, listener: HeardKey): Promise<HeardRecord> {
  return toHeard(await heardModel(connection).findOne(toFilter(listener)).lean<HeardDocument>())
}

/** Returns the read for what a person heard of a recording. */
export function heardRead(connection: DatabaseConnection, listener: HeardKey): CollectionRead<HeardDocument> {
  return { model: heardModel(connection), filter: toFilter(listener) }
}

export function toHeard(found: HeardDocument | null | undefined): HeardRecord {
  if (!found) return nothingHeard
  const { channels, revision, share, countedText } = found
  return { channels, revision, share, countedText }
}

/**
 * Adds to what a person heard, and returns the total. Concurrent requests from several tabs are all kept. The caller checks afterwards
 * that the recording still exists.
 */
export async function saveHeard(
  connection: DatabaseConnection,
  listener: HeardKey,
  { added, countShare }: { added: HeardChannels; countShare: CountShare },
): Promise<HeardChannels> {
  const model = heardModel(connection)
  for (;;) {
    const before = await findHeard(connection, listener)
    const channels = addHeard(before.channels, added)
    const fields = { channels, ...countShare(channels), revision: before.revision + 1 }
    // Terminates: the winner of each race has made progress.
    if (before.revision > 0) {
      const { matchedCount } = await model.updateOne(
        { ...toFilter(listener), revision: before.revision },
        { $set: fields },
      )
      if (matchedCount === 1) return channels
      continue
    }
    try {
      await model.create({ ...toFilter(listener), ...fields })
      return channels
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
  }
}

/** Stores a recounted share, unless more was heard since. */
export async function saveHeardShare(
  connection: DatabaseConnection,
  listener: HeardKey,
  { revision, ...counted }: CountedShare & { revision: number },
): Promise<void> {
  await heardModel(connection).updateOne({ ...toFilter(listener), revision }, { $set: counted })
}

/** Returns the read for the share of lines that a person heard of recordings, for `readTogether`. */
export function heardShares(
  connection: DatabaseConnection,
  userId: string,
  recordingIds: string[],
): CollectionRead<HeardDocument> {
  return {
    model: heardModel(connection),
    filter: { userId: toObjectId(userId), recordingId: { $in: recordingIds.map(toObjectId) } },
    projection: { _id: 0, recordingId: 1, share: 1 },
  }
}

/** Deletes what anyone heard of a recording, or of all recordings of an owner. */
export async function removeHeard(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId?: string },
): Promise<void> {
  const owned = { ownerId: toObjectId(ownerId) }
  await heardModel(connection).deleteMany(recordingId ? { ...owned, recordingId: toObjectId(recordingId) } : owned)
}

/** Deletes what a person heard of any recording, whatever its owner. */
export async function removeHeardBy(connection: DatabaseConnection, userId: string): Promise<void> {
  await heardModel(connection).deleteMany({ userId: toObjectId(userId) })
}

function toFilter({ ownerId, recordingId, userId }: HeardKey) {
  return { userId: toObjectId(userId), recordingId: toObjectId(recordingId), ownerId: toObjectId(ownerId) }
}

/** The collection of what people heard, of one database connection. */
export function heardModel(connection: Connection): Model<HeardDocument> {
  return modelOf<HeardDocument>(connection, 'Heard', schema, 'heard')
}
