import { Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { openDatabaseClock } from '../database-time.ts'
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

/** A segment whose blocks have been written. */
type NewSegment = Omit<Segment, 'addedAt'>

/** An owner's index at one point in time. */
export interface SearchIndex {
  version: number
  segments: Segment[]
  garbage: { id: string; since: Date }[]
  purgeAt: Date | null
}

/** How long abandoned and replaced blocks stay: searches that began earlier still read them. */
export const garbageAgeMs = 30_000

export function blockId(segmentId: string, number: number): string {
  return `${segmentId}.${number}`
}

/** Returns the id of the segment that a block belongs to. */
export function segmentIdOf(id: string): string {
  return id.slice(0, id.indexOf('.'))
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
  return found && toSearchIndex(found)
}

function toSearchIndex({
  version,
  segments,
  garbage,
  purgeAt = null,
}: Pick<SearchIndexDocument, 'version' | 'segments' | 'garbage'> & { purgeAt?: Date | null }): SearchIndex {
  return {
    version,
    segments: segments.map(({ id, ordinals, ...sizes }) => {
      return { ...sizes, id: id.toHexString(), ordinals: decodeNumbers(toBytes(ordinals)) }
    }),
    garbage: garbage.map(({ id, since }) => ({ id: id.toHexString(), since })),
    purgeAt,
  }
}

/** A segment that is registered but not added yet. */
export interface BegunSegment {
  segmentId: string
  /** For a segment of one recording: the ordinal that the recording may take. */
  ordinal: number
  /** The index including the registered segment. */
  document: SearchIndexDocument
  /** The database's clock. */
  clock: () => Date
}

/** Registers a segment before its blocks are written, so that they are removed if it is never added. */
export async function beginSegment(connection: DatabaseConnection, ownerId: string): Promise<BegunSegment> {
  const id = new Types.ObjectId()
  const clock = await openDatabaseClock(connection)
  const since = clock()
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
  return { segmentId: id.toHexString(), ordinal: updated.lastOrdinal, document: updated, clock }
}

/** Stores blocks of a segment, numbered from the given number. */
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

/** Stores the first words of a segment's blocks. A segment with one block needs none. */
export async function writeFirstWords(
  connection: DatabaseConnection,
  { ownerId, segmentId }: { ownerId: string; segmentId: string },
  words: string[],
): Promise<void> {
  if (words.length < 2) return
  const data = encodeFirstWords(words)
  await searchBlockModel(connection).create({ _id: firstWordsId(segmentId), ownerId: toObjectId(ownerId), data })
}

interface SegmentChange {
  /** Null to only remove others. */
  segment: NewSegment | null
  /** The ids of the segments that it replaces. */
  replaced?: string[]
  /** Time after which words of deleted or rewritten recordings are removed. Default: as scheduled. */
  purgeDelayMs?: number | undefined
}

/**
 * Adds a segment whose blocks have been written, replacing others, in one write: a reader sees either state. Returns the updated index.
 * Changes nothing and returns null where another process has removed the blocks or replaced one of the others in the meantime.
 */
export async function addSegment(
  connection: DatabaseConnection,
  ownerId: string,
  change: SegmentChange,
  { segmentId, document, clock }: Omit<BegunSegment, 'ordinal' | 'document'> & Partial<BegunSegment>,
): Promise<SearchIndex | null> {
  const { segment, replaced = [], purgeDelayMs } = change
  const model = searchIndexModel(connection)
  const found = document ?? (await model.findById(toObjectId(ownerId)).lean<SearchIndexDocument>())
  if (!found) return null
  const since = clock()
  const isReplaced = ({ id }: { id: Types.ObjectId }) => replaced.includes(id.toHexString())
  const kept = found.segments.filter((other) => !isReplaced(other))
  const own = found.garbage.find(({ id, isDropped }) => id.toHexString() === segmentId && !isDropped)
  if (!own || found.segments.length - kept.length !== replaced.length) return null
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
  const segments = [...kept, ...(added ? [added] : [])]
  const purgeAt = purgeDelayMs === undefined ? undefined : new Date(since.getTime() + purgeDelayMs)
  const { matchedCount } = await model.updateOne(
    { _id: toObjectId(ownerId), version: found.version },
    { $set: { segments, garbage }, $inc: { version: 1 }, $min: { dueAt: since, ...(purgeAt && { purgeAt }) } },
  )
  if (matchedCount === 1) return toSearchIndex({ ...found, version: found.version + 1, segments, garbage })
  // Another process wrote in the meantime, for instance to add the segment of another recording.
  return addSegment(connection, ownerId, change, { segmentId, clock })
}

/**
 * Removes the blocks of unreferenced segments. The segments are marked first, so that a process slow to write one can no longer add
 * it.
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
  // A segment was added in the meantime; the next call removes the blocks.
  if (matchedCount === 0) return
  for (const { id } of marked.filter(isRemoved)) {
    // A block's id begins with its segment's id and a dot; the next character after the dot is the slash.
    const segmentId = id.toHexString()
    await searchBlockModel(connection).deleteMany({ _id: { $gte: `${segmentId}.`, $lt: `${segmentId}/` } })
  }
  await model.updateOne(
    { _id: toObjectId(ownerId) },
    { $pull: { garbage: { id: { $in: ids.map(toObjectId) } } }, $inc: { version: 1 } },
  )
}
