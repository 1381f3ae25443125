import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { BSON, MongoServerError, type Collection, type Db, type IndexDescription } from 'mongodb'
import { connectClient } from '#data/connect.ts'
import {
  documentsFile,
  metadataFile,
  readManifest,
  type Manifest,
  type MoveOptions,
  type MovedCollection,
} from './dump-format.ts'

const maxBatchBytes = 8 * 2 ** 20
const maxBatchDocuments = 1000

type ExportedCollection = Manifest['collections'][number]

/**
 * Imports an exported folder into an empty database, then creates the indexes. Every file is checked against the manifest
 * before anything is written, and the number of documents afterwards.
 *
 * @throws Error when the export is damaged or the database holds documents.
 */
export async function importDatabase({ uri, dbName, folder, onCollection }: MoveOptions): Promise<MovedCollection[]> {
  const { collections } = await readManifest(folder)
  for (const collection of collections) await requireWhole(folder, collection)
  const client = await connectClient(uri)
  try {
    const db = client.db(dbName)
    await requireEmpty(db)
    for (const collection of collections) {
      await importCollection(db, folder, collection)
      onCollection?.(collection)
    }
    return collections
  } finally {
    await client.close()
  }
}

async function requireWhole(folder: string, { name, sha256 }: ExportedCollection): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(documentsFile(folder, name))) hash.update(chunk)
  if (hash.digest('hex') !== sha256)
    throw new Error(`The export is damaged: ${documentsFile(folder, name)} has changed.`)
}

async function requireEmpty(db: Db): Promise<void> {
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (name.startsWith('system.')) continue
    if ((await db.collection(name).findOne()) === null) continue
    throw new Error(`The database ${db.databaseName} holds documents already (in ${name}). Import into an empty one.`)
  }
}

async function importCollection(db: Db, folder: string, { name, documents }: ExportedCollection): Promise<void> {
  const collection = await createCollection(db, name)
  for await (const batch of readBatches(documentsFile(folder, name))) {
    await collection.insertMany(batch, { ordered: true, ignoreUndefined: false })
  }
  const stored = await collection.countDocuments()
  if (stored !== documents) throw new Error(`${name}: ${stored} of ${documents} documents arrived.`)
  const indexes = await readIndexes(metadataFile(folder, name))
  if (indexes.length > 0) await collection.createIndexes(indexes)
}

/** Creates a collection, or returns it if it already exists. */
export async function createCollection(db: Db, name: string): Promise<Collection> {
  try {
    return await db.createCollection(name)
  } catch (error) {
    if (error instanceof MongoServerError && error.codeName === 'NamespaceExists') return db.collection(name)
    throw error
  }
}

/** Yields documents in batches for insertion; values keep their types. */
async function* readBatches(path: string): AsyncGenerator<BSON.Document[]> {
  let batch: BSON.Document[] = []
  let batchBytes = 0
  for await (const bytes of readDocuments(path)) {
    batch.push(parseDocument(bytes))
    batchBytes += bytes.length
    if (batchBytes < maxBatchBytes && batch.length < maxBatchDocuments) continue
    yield batch
    batch = []
    batchBytes = 0
  }
  if (batch.length > 0) yield batch
}

/**
 * Returns a document whose values keep their types when it is inserted. With `acceptsInvalidText`, invalid text in a damaged document is
 * replaced by U+FFFD.
 *
 * @throws BSONError
 */
export function parseDocument(bytes: Uint8Array, { acceptsInvalidText = false } = {}): BSON.Document {
  const keepTypes = { promoteValues: false, promoteBuffers: false, bsonRegExp: true }
  return BSON.deserialize(bytes, { ...keepTypes, ...(acceptsInvalidText && { validation: { utf8: false as const } }) })
}

async function* readDocuments(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path)) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0)
      yield rest.subarray(0, length)
      rest = rest.subarray(length)
    }
  }
  if (rest.length > 0) throw new Error(`The export is damaged: ${path} ends within a document.`)
}

async function readIndexes(path: string): Promise<IndexDescription[]> {
  return parseIndexes(await readFile(path, 'utf8'))
}

/** Returns the indexes to create, from mongodump's metadata: the result of listIndexes. `v` and `ns` are set by the server. */
export function parseIndexes(text: string): IndexDescription[] {
  const metadata = BSON.EJSON.parse(text) as { indexes: (IndexDescription & Internal)[] }
  return metadata.indexes.filter(({ name }) => name !== '_id_').map(({ v: _v, ns: _ns, ...index }) => index)
}

interface Internal {
  v?: number
  ns?: string
}
