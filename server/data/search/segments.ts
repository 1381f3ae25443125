import { Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { toBytes } from '../jobs/packed-json.ts'
import { encodeFirstWords, type IndexBlock } from './blocks.ts'
import { decodeNumbers, encodeNumbers } from './number-lists.ts'
import { searchBlockModel } from './search-block-model.ts'
import { searchIndexModel, type SearchIndexDocument } from './search-index-model.ts'

/** A part of an owner's index that never changes. */
export interface Segment {
  id: string
  blockCount: number
  sizeBytes: number
  ordinals: number[]
  addedAt: Date
}

/** A segment whose blocks are written. */
type NewSegment = Omit<Segment, 'addedAt'>

/** An owner's index at one point in time. */
export interface SearchIndex {
  version: number
  segments: Segment[]
  garbage: { id: string; since: Date }[]
  purgeAt: Date | null
}

/** Abandoned and replaced blocks stay for this long: searches that began before still read them. */
export const garbageAgeMs = 30_000

export function blockId(segmentId: string, number: number): string {
  return `${segmentId}.${number}`
}

/** Returns the id of the block that lists the first words of a segment's other blocks. */
export function firstWordsId(segmentId: string): string {
  return `${segmentId}.words`
}

/** Returns the index of an owner, or null where it still has the version `known` or there is none. */
export async function readIndex(
  connection: DatabaseConnection,
  ownerId: string,
  known = -1,
): Promise<SearchIndex | null> {
  const found = await searchIndexModel(connection)
    .findOne({ _id: toObjectId(ownerId), version: { $ne: known } })
    .lean<SearchIndexDocument>()
  return (
    found && {
      version: found.version,
      segments: found.segments.map(({ id, ordinals, ...sizes }) => {
        return { ...sizes, id: id.toHexString(), ordinals: decodeNumbers(toBytes(ordinals)) }
      }),
      garbage: found.garbage.map(({ id, since }) => ({ id: id.toHexString(), since })),
      purgeAt: found.purgeAt ?? null,
    }
  )
}

/**
 * Registers a segment before its blocks are written, so that they are removed if it is never added. Returns its id and, for a segment of
 * one recording, the ordinal that the recording may take.
 */
export async function beginSegment(
  connection: DatabaseConnection,
  ownerId: string,
): Promise<{ segmentId: string; ordinal: number }> {
  const id = new Types.ObjectId()
  const since = await readDatabaseTime(connection)
  const dueAt = new Date(since.getTime() + garbageAgeMs)
  const updated = await searchIndexModel(connection)
    .findOneAndUpdate(
      { _id: toObjectId(ownerId) },
      {
        $inc: { lastOrdinal: 1, version: 1 },
        $push: { garbage: { id, since } },
        $min: { dueAt },
        $setOnInsert: { segments: [] },
      },
      { upsert: true, returnDocument: 'after' },
    )
    .lean<SearchIndexDocument>()
  if (!updated) throw new Error('The search index could not be written')
  return { segmentId: id.toHexString(), ordinal: updated.lastOrdinal }
}

/** Stores blocks of a segment; the first has this number. */
export async function writeBlocks(
  connection: DatabaseConnection,
  { ownerId, segmentId, number }: { ownerId: string; segmentId: string; number: number },
  blocks: IndexBlock[],
): Promise<void> {
  await searchBlockModel(connection).insertMany(
    blocks.map(({ bytes }, index) => {
      return { _id: blockId(segmentId, number + index), ownerId: toObjectId(ownerId), data: bytes }
    }),
  )
}

/** Stores the first words of a segment's blocks. One block needs none. */
export async function writeFirstWords(
  connection: DatabaseConnection,
  { ownerId, segmentId }: { ownerId: string; segmentId: string },
  words: string[],
): Promise<void> {
  if (words.length < 2) return
  const data = encodeFirstWords(words)
  await searchBlockModel(connection).create({ _id: firstWordsId(segmentId), ownerId: toObjectId(ownerId), data })
}

/**
 * Adds a segment whose blocks are written in place of others, in one write: a reader sees either. Returns false, and changes nothing,
 * where another process has removed the blocks or replaced one of the others in the meantime.
 */
export async function addSegment(
  connection: DatabaseConnection,
  ownerId: string,
  { segment, replaced = [] }: { segment: NewSegment | null; replaced?: string[] },
  segmentId: string,
): Promise<boolean> {
  const model = searchIndexModel(connection)
  const found = await model.findById(toObjectId(ownerId)).lean<SearchIndexDocument>()
  if (!found) return false
  const since = await readDatabaseTime(connection)
  const isReplaced = ({ id }: { id: Types.ObjectId }) => replaced.includes(id.toHexString())
  const kept = found.segments.filter((other) => !isReplaced(other))
  const own = found.garbage.find(({ id, isDropped }) => id.toHexString() === segmentId && !isDropped)
  if (!own || found.segments.length - kept.length !== replaced.length) return false
  const added = segment && {
    id: toObjectId(segment.id),
    blockCount: segment.blockCount,
    sizeBytes: segment.sizeBytes,
    ordinals: encodeNumbers(segment.ordinals),
    addedAt: since,
  }
  const garbage = [
    ...found.garbage.filter((entry) => entry !== own),
    ...found.segments.filter(isReplaced).map(({ id }) => ({ id, since })),
  ]
  const { matchedCount } = await model.updateOne(
    { _id: toObjectId(ownerId), version: found.version },
    {
      $set: { segments: [...kept, ...(added ? [added] : [])], garbage },
      $inc: { version: 1 },
      $min: { dueAt: since },
    },
  )
  // Another process wrote in the meantime, such as one that adds the segment of another recording.
  return matchedCount === 1 || addSegment(connection, ownerId, { segment, replaced }, segmentId)
}

/**
 * Removes the blocks of segments that nobody refers to. They are marked first, so that a process that was slow to write one can no
 * longer add it.
 */
export async function removeGarbage(connection: DatabaseConnection, ownerId: string, ids: string[]): Promise<void> {
  const model = searchIndexModel(connection)
  const found = await model.findById(toObjectId(ownerId)).lean<SearchIndexDocument>()
  if (!found) return
  const isRemoved = ({ id }: { id: Types.ObjectId }) => ids.includes(id.toHexString())
  const marked = found.garbage.map((entry) => (isRemoved(entry) ? { ...entry, isDropped: true as const } : entry))
  const { matchedCount } = await model.updateOne(
    { _id: toObjectId(ownerId), version: found.version },
    { $set: { garbage: marked }, $inc: { version: 1 } },
  )
  // Something was added in the meantime; the next call removes them.
  if (matchedCount === 0) return
  for (const { id } of marked.filter(isRemoved)) {
    // Every id of a block begins with its segment's, followed by a dot; the character after the dot is the slash.
    const segmentId = id.toHexString()
    await searchBlockModel(connection).deleteMany({ _id: { $gte: `${segmentId}.`, $lt: `${segmentId}/` } })
  }
  await model.updateOne(
    { _id: toObjectId(ownerId) },
    { $pull: { garbage: { id: { $in: ids.map(toObjectId) } } }, $inc: { version: 1 } },
  )
}
