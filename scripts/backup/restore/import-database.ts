import { BSON, type Collection, type Db, type IndexDescription } from 'mongodb'
import { AppError } from '#contract/app-error.ts'
import { connectClient } from '#data/connect.ts'
import { createCollection, parseIndexes, parseDocument } from '../../db/import.ts'
import type { BackupCollection } from '../format/manifest.ts'

/** The database that a backup is restored into. */
export interface ImportTarget {
  /** Imports a file of `database/`: documents, or the indexes of a collection, which `finish` creates. */
  importFile(path: string, content: Buffer): Promise<void>
  /** Throws an Error where a collection does not have as many documents as in the backup; otherwise creates all indexes. */
  finish(collections: BackupCollection[]): Promise<void>
  /** Removes what was imported. */
  discard(): Promise<void>
  close(): Promise<void>
}

interface ImportOptions {
  uri: string
  dbName: string
  /** Ends the wait for a database that cannot be reached. */
  signal?: AbortSignal | undefined
}

/** Opens a database to import into. @throws AppError `conflict` where it holds documents */
export async function openImport({ uri, dbName, signal }: ImportOptions): Promise<ImportTarget> {
  const client = await connectClient(uri, { signal })
  const db = client.db(dbName)
  const opened = new Map<string, Collection>()
  // By collection. Created last: an index that expires documents would remove them before they were counted.
  const indexes = new Map<string, IndexDescription[]>()

  async function collectionOf(name: string): Promise<Collection> {
    const known = opened.get(name)
    if (known) return known
    const collection = await createCollection(db, name)
    opened.set(name, collection)
    // An empty collection may already exist, with indexes that expire documents or differ from those of the backup.
    await collection.dropIndexes()
    return collection
  }

  try {
    await assertEmpty(db)
  } catch (error) {
    await client.close()
    throw error
  }
  return {
    async importFile(path, content) {
      const [, name = '', file = ''] = path.split('/')
      const collection = await collectionOf(decodeURIComponent(name))
      if (file.endsWith('.bson')) {
        const documents = splitDocuments(content).map((bytes) => parseDocument(bytes, { acceptsInvalidText: true }))
        await collection.insertMany(documents, { ordered: true, ignoreUndefined: false })
        return
      }
      indexes.set(collection.collectionName, parseIndexes(content.toString()))
    },
    async finish(collections) {
      for (const { name, documents } of collections) {
        const stored = await db.collection(name).countDocuments()
        if (stored !== documents) throw new Error(`${name}: ${stored} of ${documents} documents arrived.`)
      }
      for (const [name, descriptions] of indexes) {
        if (descriptions.length > 0) await db.collection(name).createIndexes(descriptions)
      }
    },
    async discard() {
      for (const collection of opened.values()) await collection.drop()
    },
    close: () => client.close(),
  }
}

async function assertEmpty(db: Db): Promise<void> {
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name.startsWith('system.') || (await db.collection(name).findOne()) === null) continue
    throw new AppError('conflict', `The database ${db.databaseName} holds documents already (in ${name}).`, {
      help: 'Restore into an empty database.',
    })
  }
}

function splitDocuments(bytes: Buffer): Buffer[] {
  const documents: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const length = at + 4 <= bytes.length ? bytes.readInt32LE(at) : 0
    if (length < 5 || at + length > bytes.length) throw new BSON.BSONError('a document ends too early')
    documents.push(bytes.subarray(at, at + length))
    at += length
  }
  return documents
}
