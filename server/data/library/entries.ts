import { isDeepStrictEqual } from 'node:util'
import type { HitCounts, RecordingState } from '#contract/library.ts'
import { foldKeyword } from '#contract/keywords/fold.ts'
import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import type { RecordingRecord } from '../recordings/recording-record.ts'
import { libraryEntryModel, type LibraryEntryDocument } from './library-entry-model.ts'
import { libraryOwnerModel } from './library-owner-model.ts'
import { savedFilterModel } from './saved-filter-model.ts'
import { stateRanks } from './recording-state.ts'

/** What a recording's jobs say about it. */
export interface JobFindings {
  state: RecordingState
  languages: string[]
}

/** The keywords found in a recording. */
export interface CountedHits {
  hits: HitCounts
  /** See LibraryEntryDocument. */
  countedText: string
  countedKeywords: string
}

/** An entry without the fields that only number its writes. */
type LibraryEntry = Omit<LibraryEntryDocument, 'derivedVersion' | 'revision' | 'change' | 'deletedAt'>

export const noHits: HitCounts = { threats: 0, sentiment: 0, intent: 0, custom: 0 }

const uncounted: CountedHits = { hits: noHits, countedText: '', countedKeywords: '' }
const nothingDone: JobFindings = { state: 'new', languages: [] }

/** The fields of an entry taken from the recording itself, not from its jobs and texts. */
type ListedRecording = Pick<
  RecordingRecord,
  'id' | 'ownerId' | 'name' | 'tags' | 'createdAt' | 'durationMs' | 'version' | 'deletedAt'
>

function nameFields(name: string): Pick<LibraryEntryDocument, 'foldedName' | 'sortName'> {
  const foldedName = foldKeyword(name)
  return { foldedName, sortName: foldedName.replaceAll(/\d+/g, (digits) => digits.padStart(12, '0')).slice(0, 200) }
}

/** Returns the entry of a recording. */
export function toEntry(
  recording: RecordingRecord,
  found: JobFindings = nothingDone,
  { hits, countedText, countedKeywords }: CountedHits = uncounted,
): LibraryEntry {
  return {
    _id: toObjectId(recording.id),
    ownerId: toObjectId(recording.ownerId),
    ...recordingFields(recording),
    state: stateRanks[found.state],
    languages: found.languages,
    hits,
    countedText,
    countedKeywords,
  }
}

function recordingFields(recording: ListedRecording) {
  return {
    isRemoved: recording.deletedAt !== null,
    ...nameFields(recording.name),
    createdAt: recording.createdAt,
    durationMs: recording.durationMs,
    tags: recording.tags ?? [],
    version: recording.version,
  }
}

/** Adds entries; recordings that already have one keep it. */
export async function insertEntries(connection: DatabaseConnection, entries: LibraryEntry[]): Promise<void> {
  if (entries.length === 0) return
  const change = await nextChange(connection)
  await libraryEntryModel(connection)
    .insertMany(
      entries.map((entry) => ({ ...entry, revision: 1, change })),
      { ordered: false, lean: true },
    )
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
}

/** Returns the entry of a recording, or null. */
export async function findEntry(
  connection: DatabaseConnection,
  { ownerId, id }: Pick<RecordingRecord, 'ownerId' | 'id'>,
): Promise<LibraryEntryDocument | null> {
  return libraryEntryModel(connection)
    .findOne({ _id: toObjectId(id), ownerId: toObjectId(ownerId) })
    .lean<LibraryEntryDocument>()
}

/**
 * Writes the entry of a recording, unless it was written from a newer version of the recording.
 *
 * @param stored the entry as it was read
 * @param isDerived whether everything else has been derived from this version of the recording
 */
export async function saveEntry(
  connection: DatabaseConnection,
  { _id, ...fields }: LibraryEntry,
  { stored, isDerived }: { stored: LibraryEntryDocument | null; isDerived: boolean },
): Promise<void> {
  const { version } = fields
  const versions = { version, ...(isDerived && { derivedVersion: version }) }
  if (stored && isDeepStrictEqual({ ...stored, ...fields, ...versions }, stored)) return
  // Lists do not show versions, so a difference only in versions is not a change for their readers.
  const isListed = !stored || !isDeepStrictEqual({ ...stored, ...fields, version: stored.version }, stored)
  const update = isListed
    ? { $set: { ...fields, ...versions, change: await nextChange(connection) }, $inc: { revision: 1 } }
    : { $set: versions }
  const own = { _id, ownerId: fields.ownerId, version: { $lte: version } }
  try {
    await libraryEntryModel(connection).updateOne(own, update, { upsert: !stored })
  } catch (error) {
    if (!isDuplicateKey(error)) throw error // the entry is newer
  }
}

/**
 * Writes to entries all fields taken from recordings, as read by one query. Each is written completely and with its version, never as an
 * increment to the previous entry: of writes that overtake each other, the one with the newer version wins. The caller leaves out
 * permanently deleted recordings.
 */
export async function updateEntries(connection: DatabaseConnection, recordings: ListedRecording[]): Promise<void> {
  const outdated = await findOutdated(connection, recordings)
  if (outdated.length === 0) return
  const change = await nextChange(connection)
  await libraryEntryModel(connection).bulkWrite(
    outdated.map((recording) => {
      const { id, ownerId, version } = recording
      return {
        updateOne: {
          filter: { _id: toObjectId(id), ownerId: toObjectId(ownerId), version: { $lte: version } },
          update: { $set: { ...recordingFields(recording), change }, $inc: { revision: 1 } },
        },
      }
    }),
    { ordered: false },
  )
}

/** A recording after a change to only what its entry shows. */
interface ListedChange {
  recording: ListedRecording
  /** Its version before that change; undefined where something else may have changed since. */
  versionBefore: number | undefined
}

/**
 * Writes to entries what a request changed in their recordings. If everything had been derived from a recording before, it is marked as
 * derived still: see `findDerived`. `change` may be the number that the recordings were written with.
 */
export async function saveListedChanges(
  connection: DatabaseConnection,
  changes: ListedChange[],
  change: number,
): Promise<void> {
  if (changes.length === 0) return
  const updates = changes.flatMap(({ recording, versionBefore }) => {
    const { id, ownerId, version } = recording
    const older = { _id: toObjectId(id), ownerId: toObjectId(ownerId), version: { $lt: version } }
    const fields = { ...recordingFields(recording), change }
    const counted = { $inc: { revision: 1 } }
    const isDerived = versionBefore !== undefined && {
      filter: { ...older, derivedVersion: versionBefore },
      update: { $set: { ...fields, derivedVersion: version }, ...counted },
    }
    // The second update matches only if the first did not.
    return [...(isDerived ? [isDerived] : []), { filter: older, update: { $set: fields, ...counted } }]
  })
  await libraryEntryModel(connection).bulkWrite(updates.map((updateOne) => ({ updateOne })))
}

/** Returns the ids of the recordings from whose current version everything has already been derived. */
export async function findDerived(
  connection: DatabaseConnection,
  recordings: Pick<ListedRecording, 'id' | 'version' | 'deletedAt'>[],
): Promise<Set<string>> {
  const live = recordings.filter(({ deletedAt }) => deletedAt === null)
  if (live.length === 0) return new Set()
  const versions = new Map(live.map(({ id, version }) => [id, version]))
  const found = await libraryEntryModel(connection)
    .find({ _id: { $in: live.map(({ id }) => toObjectId(id)) }, isRemoved: false }, { derivedVersion: 1 })
    .batchSize(live.length)
    .lean<Pick<LibraryEntryDocument, '_id' | 'derivedVersion'>[]>()
  const derived = found.filter(({ _id, derivedVersion }) => derivedVersion === versions.get(_id.toHexString()))
  return new Set(derived.map(({ _id }) => _id.toHexString()))
}

/** Returns the recordings that differ from their entries. */
async function findOutdated<Recording extends ListedRecording>(
  connection: DatabaseConnection,
  recordings: Recording[],
): Promise<Recording[]> {
  if (recordings.length === 0) return []
  const stored = await libraryEntryModel(connection)
    .find({ _id: { $in: recordings.map(({ id }) => toObjectId(id)) } })
    .batchSize(recordings.length)
    .lean<LibraryEntryDocument[]>()
  const entries = new Map(stored.map((entry) => [entry._id.toHexString(), entry]))
  return recordings.filter((recording) => {
    const entry = entries.get(recording.id)
    return entry && !isDeepStrictEqual({ ...entry, ...recordingFields(recording) }, entry)
  })
}

/** Empties the entry of a permanently deleted recording; nothing is written to it again. */
export async function removeEntry(connection: DatabaseConnection, ownerId: string, id: string): Promise<void> {
  const emptied = { foldedName: '', sortName: '', languages: [], tags: [], ...uncounted }
  const [change, deletedAt] = await Promise.all([nextChange(connection), readDatabaseTime(connection)])
  await libraryEntryModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId), deletedAt: null },
    {
      $set: { ...emptied, isRemoved: true, deletedAt, version: Number.MAX_SAFE_INTEGER, change },
      $unset: { heard: 1, verified: 1, uncountableKeywords: 1, derivedVersion: 1 },
      $inc: { revision: 1 },
    },
  )
}

/**
 * Has an entry rewritten that is ahead of its recording: one that was emptied although the recording exists, or that has a later
 * version.
 */
export async function reopenEntry(connection: DatabaseConnection, ownerId: string, id: string): Promise<void> {
  await libraryEntryModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId) },
    {
      $set: { version: 0, change: await nextChange(connection) },
      $unset: { deletedAt: 1, derivedVersion: 1 },
      $inc: { revision: 1 },
    },
  )
}

/** Deletes everything stored for the library of an owner. */
export async function removeLibrary(connection: DatabaseConnection, owner: string): Promise<void> {
  const ownerId = toObjectId(owner)
  await libraryEntryModel(connection).deleteMany({ ownerId })
  await savedFilterModel(connection).deleteMany({ ownerId })
  await libraryOwnerModel(connection).deleteOne({ _id: ownerId })
}
