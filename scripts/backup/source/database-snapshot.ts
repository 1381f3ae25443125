import type { Collection, Db, MongoClient } from 'mongodb'
import { connectClient } from '#data/connect.ts'
import { isEmbedded, withEmbeddedSnapshot } from '#data/embedded-snapshot.ts'
import { openDataFile, type CheckedDocument } from '#server/embedded-db/storage/read-data-file.ts'

export interface SnapshotCollection {
  name: string
  /** Index specifications as returned by listIndexes. */
  indexes: Record<string, unknown>[]
  /** Documents from MongoDB are never damaged: it verifies checksums itself, and fails instead. */
  documents(): AsyncIterable<CheckedDocument> | Iterable<CheckedDocument>
}

/** The database as stored in a backup. */
export interface DatabaseSnapshot {
  engine: 'embedded' | 'mongodb'
  /** False for MongoDB, whose collections are read one after another. */
  isPointInTime: boolean
  collections: SnapshotCollection[]
  close(): Promise<void>
}

export interface DatabaseSnapshotOptions {
  uri: string
  dbName: string
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
  /** Called as soon as the database is copied, before the copy is checked, which takes time. An error it throws ends the opening. */
  onCopied: () => Promise<void>
}

/**
 * Opens the database as it is now. The embedded one is copied while it runs; the copy is unlinked by the time this returns, so it
 * disappears with this process. MongoDB is read through its driver, and keeps changing.
 */
export async function openDatabaseSnapshot(options: DatabaseSnapshotOptions): Promise<DatabaseSnapshot> {
  const client = await connectClient(options.uri, options)
  try {
    const db = client.db(options.dbName)
    if (!(await isEmbedded(db))) {
      const snapshot = await openMongo(client, db)
      await options.onCopied()
      return snapshot
    }
    const snapshot = await openEmbedded(db, options)
    await client.close()
    return snapshot
  } catch (error) {
    await client.close()
    throw error
  }
}

async function openEmbedded(
  db: Db,
  { signal, onProgress, onCopied }: DatabaseSnapshotOptions,
): Promise<DatabaseSnapshot> {
  return withEmbeddedSnapshot(db, { signal, onProgress }, async (file) => {
    await onCopied()
    const data = openDataFile(file)
    return {
      engine: 'embedded',
      isPointInTime: true,
      collections: data.collections(db.databaseName).map(({ name, indexes, checkedDocuments }) => ({
        name,
        indexes,
        documents: checkedDocuments,
      })),
      close: async () => data.close(),
    }
  })
}

/**
 * Opens a database that is read through its driver, collection by collection. Recordings are read first, so that whatever is derived from
 * a recording in the backup is in it too. Closing it closes the client.
 */
export async function openMongo(client: MongoClient, db: Db): Promise<DatabaseSnapshot> {
  const infos = await db.listCollections({}, { nameOnly: true }).toArray()
  const names = infos.map(({ name }) => name).filter((name) => !name.startsWith('system.'))
  const ordered = names.toSorted(
    (a, b) => Number(b === 'recordings') - Number(a === 'recordings') || a.localeCompare(b),
  )
  const collections = await Promise.all(ordered.map((name) => readCollection(db.collection(name))))
  return { engine: 'mongodb', isPointInTime: false, collections, close: () => client.close() }
}

async function readCollection(collection: Collection): Promise<SnapshotCollection> {
  return {
    name: collection.collectionName,
    indexes: await collection.listIndexes().toArray(),
    documents: () => readDocuments(collection),
  }
}

async function* readDocuments(collection: Collection): AsyncGenerator<CheckedDocument> {
  for await (const body of collection.find<Uint8Array>({}, { raw: true })) yield { body }
}
