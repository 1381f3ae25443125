import type { HitCounts } from '#contract/library.ts'
import { readLastChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { createChangeTracker } from '../jobs/change-tracker.ts'
import { createKeyedMutex } from '../keyed-mutex.ts'
import { ensureEntries } from './ensure-entries.ts'
import { readTogether } from '../read-together.ts'
import { openJobsRead, withLiveStates } from './live-states.ts'
import { libraryEntryModel, type LibraryEntryDocument } from './library-entry-model.ts'

/** An entry in memory. */
export interface LibraryRow {
  id: string
  foldedName: string
  sortName: string
  createdAtMs: number
  durationMs: number
  state: number
  languages: string[]
  tags: string[]
  hits: HitCounts
  /** Shares, 0 to 1. */
  heard: number
  verified: number
}

/** The library of an owner as last read. */
interface Library {
  rows: Map<string, LibraryRow>
  tracker: ReturnType<typeof createChangeTracker>
  /** When it was read last, in milliseconds of performance.now(). */
  readAtMs: number
}

/** A write that took its number fails before this: see openDatabase. */
const overlap = { overlapMs: 5_000, overlapAtStart: 500 }
/** Emptied entries stay for a day: reading at least this often misses none of them. */
const maxIdleMs = 12 * 3_600_000
/** Entries in memory, of all owners together: about 60 MB. Beyond that, the owners read longest ago are dropped. */
const maxRows = 100_000
/** Entries decoded at once. */
const entriesPerPage = 1_000
/** Read together with other documents, entries come in one go while all others wait for the embedded database: more are read by a query. */
const maxEntriesTogether = 200

/** The libraries of each database, the last read at the end. */
const librariesOf = new WeakMap<DatabaseConnection, Map<string, Library>>()
const runExclusive = createKeyedMutex()

/**
 * Returns the current rows of an owner's recordings. They stay in memory, and each call reads what any server or engine has written since
 * the last one: sorting or filtering thousands of documents in the database takes as long as reading them all.
 */
export async function readLibrary(connection: DatabaseConnection, ownerId: string): Promise<LibraryRow[]> {
  await ensureEntries(connection, ownerId)
  const libraries = librariesOf.get(connection) ?? new Map<string, Library>()
  librariesOf.set(connection, libraries)
  const read = await runExclusive(ownerId, async () => {
    const readAtMs = performance.now()
    const last = libraries.get(ownerId)
    const known = last && last.readAtMs > readAtMs - maxIdleMs ? last : undefined
    const library = known ?? (await startLibrary(connection))
    if (!known) await readAll(connection, ownerId, library)
    const openJobs = await readChanges(connection, ownerId, library)
    library.readAtMs = readAtMs
    libraries.delete(ownerId)
    libraries.set(ownerId, library)
    forgetOldest(libraries)
    return { rows: [...library.rows.values()], openJobs }
  })
  return withLiveStates(connection, ownerId, read)
}

async function startLibrary(connection: DatabaseConnection): Promise<Library> {
  return { rows: new Map(), tracker: createChangeTracker(await readLastChange(connection), overlap), readAtMs: 0 }
}

/** Reads all entries, page by page: a query must end well within its time limit. Changes in the meantime are read afterwards. */
async function readAll(connection: DatabaseConnection, ownerId: string, { rows }: Library): Promise<void> {
  let lastId: LibraryEntryDocument['_id'] | undefined
  for (;;) {
    const page = await libraryEntryModel(connection)
      .find({ ownerId: toObjectId(ownerId), ...(lastId && { _id: { $gt: lastId } }) })
      .sort({ _id: 1 })
      .limit(entriesPerPage)
      .batchSize(entriesPerPage)
      .lean<LibraryEntryDocument[]>()
    for (const entry of page) if (!entry.isRemoved) rows.set(entry._id.toHexString(), toRow(entry))
    lastId = page.at(-1)?._id
    if (page.length < entriesPerPage) return
  }
}

/** Reads the changed entries and returns the owner's open jobs, usually in one command. */
async function readChanges(connection: DatabaseConnection, ownerId: string, { rows, tracker }: Library) {
  const model = libraryEntryModel(connection)
  const changed = {
    filter: { ownerId: toObjectId(ownerId), change: { $gt: tracker.after } },
    sort: { change: 1 },
  } as const
  const first = await readTogether({
    entries: { model, ...changed, limit: maxEntriesTogether },
    openJobs: openJobsRead(connection, ownerId),
  })
  const isWhole = first.entries.length < maxEntriesTogether
  const entries = isWhole
    ? first.entries
    : await model.find(changed.filter).sort({ change: 1 }).batchSize(entriesPerPage).lean<LibraryEntryDocument[]>()
  const seen = []
  for (const entry of entries) {
    const row = toRow(entry)
    const change = { id: row.id, version: entry.revision, change: entry.change }
    if (!tracker.isNew(change)) continue
    seen.push(change)
    if (entry.isRemoved) rows.delete(row.id)
    else rows.set(row.id, row)
  }
  tracker.markSeen(seen)
  return first.openJobs
}

function toRow(entry: LibraryEntryDocument): LibraryRow {
  const { foldedName, sortName, durationMs, state, languages, tags, hits, heard = 0, verified = 0 } = entry
  const listed = { foldedName, sortName, durationMs, state, languages, tags, hits, heard, verified }
  return { id: entry._id.toHexString(), createdAtMs: entry.createdAt.getTime(), ...listed }
}

function forgetOldest(libraries: Map<string, Library>): void {
  let total = 0
  for (const { rows } of libraries.values()) total += rows.size
  for (const [ownerId, { rows }] of libraries) {
    if (total <= maxRows || libraries.size === 1) return
    libraries.delete(ownerId)
    total -= rows.size
  }
}
