import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { buildSearchSegment } from './build-segment.ts'
import { packHitLines, type HitLines } from './hit-lines.ts'
import { searchBlockModel } from './search-block-model.ts'
import { searchEntryModel, type SearchEntryDocument } from './search-entry-model.ts'
import { searchIndexModel } from './search-index-model.ts'
import { searchLinesModel } from './search-lines-model.ts'
import { addSegment, beginSegment, writeBlocks, writeFirstWords, type SearchIndex } from './segments.ts'
import { insertStoredLines, removeStoredLines, type StoredLine } from './stored-lines.ts'

/** Words of a deleted recording leave the index after this time, along with those of others deleted in the meantime. */
const purgeDelayMs = 60_000
/** Replaced text is immediately no longer found; its space is reclaimed at this interval. */
const replacedPurgeDelayMs = 6 * 3_600_000

/** Ordinal of a recording without lines: the first real ordinal is 1. */
const noOrdinal = 0

interface Owned {
  ownerId: string
  id: string
}

/** Identifies the lines of a recording that the search has: see SearchEntryDocument. */
type SearchedText = Pick<SearchEntryDocument, 'fingerprint' | 'source'>
/** The same, with the number of lines. */
export type SearchedTextState = SearchedText & Pick<SearchEntryDocument, 'lineCount'>

/** Returns what the searched lines of recordings were made from, by recording id; recordings without lines are missing. */
export async function readSearchedTexts(
  connection: DatabaseConnection,
  ids: string[],
): Promise<Map<string, SearchedTextState>> {
  const found = await searchEntryModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) } }, { fingerprint: 1, source: 1, lineCount: 1 })
    .batchSize(Math.max(1, ids.length))
    .lean<(SearchedTextState & Pick<SearchEntryDocument, '_id'>)[]>()
  return new Map(found.map(({ _id, ...text }) => [_id.toHexString(), text]))
}

/** Records that a different state of a recording has the same lines. */
export async function saveTextSource(
  connection: DatabaseConnection,
  { ownerId, id }: Owned,
  { fingerprint, source }: Required<SearchedText>,
): Promise<void> {
  await searchEntryModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId), fingerprint },
    { $set: { source } },
  )
}

interface SearchedLines extends SearchedText {
  lines: StoredLine[]
  /** The lines with keywords. Default: none are stored. */
  hitLines?: HitLines
  language: string | null
  /** Whether the recording already has an entry. Default true: scheduling a purge needlessly does no harm. */
  isReplaced?: boolean
}

/**
 * Makes the lines of a recording findable, replacing those written before. Until the last write, a search finds the earlier lines; what a
 * process killed before then leaves behind, a later merge removes. Returns the updated index of the owner; null where the recording has
 * no lines.
 */
export async function writeSearchEntry(
  connection: DatabaseConnection,
  owned: Owned,
  { lines, hitLines, language, isReplaced = true, ...text }: SearchedLines,
): Promise<SearchIndex | null> {
  const { ownerId, id } = owned
  if (lines.length === 0) {
    await clearEntry(connection, owned, text)
    return null
  }
  const begun = await beginSegment(connection, ownerId)
  const { segmentId, ordinal } = begun
  const blocks = await buildSearchSegment(ordinal, lines)
  await writeBlocks(connection, { ownerId, segmentId, number: 0 }, blocks)
  await writeFirstWords(
    connection,
    { ownerId, segmentId },
    blocks.map(({ firstWord }) => firstWord),
  )
  const sizeBytes = blocks.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const segment = { id: segmentId, blockCount: blocks.length, sizeBytes, ordinals: [ordinal] }
  const addition = { segment, purgeDelayMs: isReplaced ? replacedPurgeDelayMs : undefined }
  const index = await addSegment(connection, ownerId, addition, begun)
  if (!index) throw new Error('Another process removed the words of the recording')
  await insertStoredLines(connection, { ...owned, ordinal }, lines)
  const change = await nextChange(connection)
  const hits = hitLines && { hitLines: packHitLines({ ordinal, lines: hitLines }) }
  const entry = { ownerId: toObjectId(ownerId), ordinal, lineCount: lines.length, language, ...text, ...hits, change }
  await searchEntryModel(connection).updateOne({ _id: toObjectId(id) }, { $set: entry }, { upsert: true })
  await removeStoredLines(connection, { ownerId, ids: [id], except: ordinal })
  return index
}

/** Leaves an entry without lines, so that every server notices, and the library check sees that there are none. */
async function clearEntry(connection: DatabaseConnection, { ownerId, id }: Owned, text: SearchedText): Promise<void> {
  const filter = { _id: toObjectId(id), ownerId: toObjectId(ownerId) }
  await removeStoredLines(connection, { ownerId, ids: [id] })
  const cleared = {
    ordinal: noOrdinal,
    lineCount: 0,
    language: null,
    ...text,
    change: await nextChange(connection),
  }
  const { upsertedCount } = await searchEntryModel(connection).updateOne(filter, { $set: cleared }, { upsert: true })
  if (upsertedCount === 0) await schedulePurge(connection, ownerId, purgeDelayMs)
}

/** Removes recordings of an owner from the search: they are immediately no longer found, and their words leave the index within minutes. */
export async function removeSearchEntries(
  connection: DatabaseConnection,
  ownerId: string,
  ids: string[],
): Promise<void> {
  await removeStoredLines(connection, { ownerId, ids })
  const { deletedCount } = await searchEntryModel(connection).deleteMany({
    _id: { $in: ids.map(toObjectId) },
    ownerId: toObjectId(ownerId),
  })
  if (deletedCount > 0) await schedulePurge(connection, ownerId, purgeDelayMs)
}

/** Removes everything the search has of an owner. */
export async function removeSearchIndex(connection: DatabaseConnection, owner: string): Promise<void> {
  const ownerId = toObjectId(owner)
  await searchEntryModel(connection).deleteMany({ ownerId })
  await searchLinesModel(connection).deleteMany({ ownerId })
  await searchIndexModel(connection).deleteOne({ _id: ownerId })
  await searchBlockModel(connection).deleteMany({ ownerId })
}

async function schedulePurge(connection: DatabaseConnection, ownerId: string, delayMs: number): Promise<void> {
  const now = await readDatabaseTime(connection)
  const purgeAt = new Date(now.getTime() + delayMs)
  await searchIndexModel(connection).updateOne(
    { _id: toObjectId(ownerId) },
    { $min: { purgeAt, dueAt: purgeAt }, $inc: { version: 1 } },
  )
}
