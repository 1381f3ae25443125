import type { Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import type { MigrationProgress, MigrationRecords } from './migration-records.ts'
import type { Migration } from './migration.ts'

interface RunOptions {
  connection: DatabaseConnection
  records: MigrationRecords
  /** Called before each page. An error it throws ends the run, which continues from the same page when restarted. */
  assertMayContinue: () => void
  onProgress: (progress: MigrationProgress) => void
}

/**
 * Runs a migration from where it was interrupted to its end, page by page in the order of ids, which is the order of creation. A page's
 * position is stored after its documents: if the process dies in between, the page runs again.
 */
export async function runMigration(migration: Migration, options: RunOptions): Promise<void> {
  const { connection, records, assertMayContinue, onProgress } = options
  const { name } = migration
  const begun = await records.begin(name, await connection.collection(migration.collection).estimatedDocumentCount())
  let position = begun.position
  for (let done = begun.passed; ;) {
    assertMayContinue()
    onProgress({ name, unit: 'documents', done, total: Math.max(begun.total, done) })
    const page = await readPage(connection, migration, position)
    if (page.last === null) break
    if (page.ids.length > 0) await migration.migrate(connection, page.ids)
    await records.advance(name, page.last, page.size)
    position = page.last
    done += page.size
  }
  await records.finish(name)
}

/** Id of the last processed document. */
type Position = Types.ObjectId | null

interface Page {
  /** Ids of the matching documents. */
  ids: Types.ObjectId[]
  size: number
  /** Null after the last document. */
  last: Position
}

/** Reads by id only and filters afterwards: a query with the filter would read on without limit if few documents match. */
async function readPage(
  connection: DatabaseConnection,
  { collection: name, filter, pageSize }: Migration,
  after: Position,
): Promise<Page> {
  const collection = connection.collection<{ _id: Types.ObjectId }>(name)
  const options = { projection: { _id: 1 }, batchSize: pageSize }
  const page = await collection
    .find(after ? { _id: { $gt: after } } : {}, options)
    .sort({ _id: 1 })
    .limit(pageSize)
    .toArray()
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) return { ids: [], size: 0, last: null }
  const range = { _id: { $gte: first._id, $lte: last._id } }
  const matching = await collection.find({ ...range, ...filter }, options).toArray()
  return { ids: matching.map(({ _id }) => _id), size: page.length, last: last._id }
}
