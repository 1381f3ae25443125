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

/** What the jobs of a recording say about it. */
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

/** An entry without what only its writes are numbered by. */
type LibraryEntry = Omit<LibraryEntryDocument, 'revision' | 'change' | 'deletedAt'>

export const noHits: HitCounts = { threats: 0, sentiment: 0, intent: 0, custom: 0 }

const uncounted: CountedHits = { hits: noHits, countedText: '', countedKeywords: '' }
const nothingDone: JobFindings = { state: 'new', languages: [] }

/** What an entry says of its recording without its jobs and texts. */
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

/** Adds entries; recordings that have one keep it. */
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

/** Writes the entry of a recording, unless a newer version of the recording has written it. */
export async function saveEntry(connection: DatabaseConnection, { _id, ...fields }: LibraryEntry): Promise<void> {
  const model = libraryEntryModel(connection)
  const own = { _id, ownerId: fields.ownerId }
  const stored = await model.findOne(own).lean<LibraryEntryDocument>()
  if (stored && isDeepStrictEqual({ ...stored, ...fields }, stored)) return
  const update = { $set: { ...fields, change: await nextChange(connection) }, $inc: { revision: 1 } }
  try {
    await model.updateOne({ ...own, version: { $lte: fields.version } }, update, { upsert: true })
  } catch (error) {
    if (!isDuplicateKey(error)) throw error // the entry is newer
  }
}

/**
 * Writes to entries all that recordings say themselves, as one query read them. Each is written whole and with its version, never as a step
 * from what the entry said before: of writes that overtake each other the one of the newer version stays. The caller leaves out recordings
 * that are gone for good.
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

/** Returns the recordings whose entries say something else of them. */
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

/** Returns what the hits of a recording were counted with; null where it has no entry. */
export async function findCountedHits(
  connection: DatabaseConnection,
  { ownerId, id }: Pick<RecordingRecord, 'ownerId' | 'id'>,
): Promise<CountedHits | null> {
  return libraryEntryModel(connection)
    .findOne(
      { _id: toObjectId(id), ownerId: toObjectId(ownerId) },
      { _id: 0, hits: 1, countedText: 1, countedKeywords: 1 },
    )
    .lean<CountedHits>()
}

/** Empties the entry of a recording that is gone for good; nothing is written to it again. */
export async function removeEntry(connection: DatabaseConnection, ownerId: string, id: string): Promise<void> {
  const emptied = { foldedName: '', sortName: '', languages: [], tags: [], ...uncounted }
  const [change, deletedAt] = await Promise.all([nextChange(connection), readDatabaseTime(connection)])
  await libraryEntryModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId), deletedAt: null },
    {
      $set: { ...emptied, isRemoved: true, deletedAt, version: Number.MAX_SAFE_INTEGER, change },
      $unset: { uncountableKeywords: 1 },
      $inc: { revision: 1 },
    },
  )
}

/** Has an entry written again that says more than its recording: one that was emptied although the recording is there, or of a later version. */
export async function reopenEntry(connection: DatabaseConnection, ownerId: string, id: string): Promise<void> {
  await libraryEntryModel(connection).updateOne(
    { _id: toObjectId(id), ownerId: toObjectId(ownerId) },
    { $set: { version: 0, change: await nextChange(connection) }, $unset: { deletedAt: 1 }, $inc: { revision: 1 } },
  )
}

/** Deletes everything that is stored for the library of an owner. */
export async function removeLibrary(connection: DatabaseConnection, owner: string): Promise<void> {
  const ownerId = toObjectId(owner)
  await libraryEntryModel(connection).deleteMany({ ownerId })
  await savedFilterModel(connection).deleteMany({ ownerId })
  await libraryOwnerModel(connection).deleteOne({ _id: ownerId })
}
