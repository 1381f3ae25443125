import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { MongoClient } from 'mongodb'
import { onTestFinished } from 'vitest'
import { databaseName } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import type { BackupOptions } from '../create/create-backup.ts'
import type { BackupEncryption } from '../format/encryption.ts'

/** What the tests encrypt with. */
export const passphrase = 'correct horse battery staple'
/** With a thousandth of the usual work; otherwise scrypt takes seconds. */
export const passphraseEncryption: BackupEncryption = { kind: 'passphrase', passphrase, workFactor: 8 }

const silentProgress = { begin: () => undefined, update: () => undefined, end: () => undefined }

/** Returns the options for backing up a server. */
export function optionsFor(server: TestServer, encryption: BackupEncryption = { kind: 'none' }): BackupOptions {
  const { dataDir, audioCopyBytes } = server.config
  return {
    dataDir,
    audioCopyBytes,
    modelsDir: join(dataDir, 'no-models'),
    uri: server.databaseUri,
    dbName: databaseName(server.databaseUri),
    encryption,
    withModels: false,
    progress: silentProgress,
    signal: new AbortController().signal,
  }
}

/** Starts a server that is closed when the running test ends. */
export async function openServer(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  onTestFinished(() => server.close())
  return server
}

/** Starts a server with recordings of 1 to 2 KB that belong to one user. */
export async function openServerWith(count: number): Promise<{ server: TestServer; ownerId: string }> {
  const server = await openServer()
  const { id: ownerId } = await server.createUser()
  for (let n = 0; n < count; n++) await storeRecording(server, ownerId, randomBytes(1_000 + n))
  return { server, ownerId }
}

/** Stores a recording with its own audio, as an upload leaves it. Returns its id. */
export async function storeRecording(server: TestServer, ownerId: string, content: Buffer): Promise<string> {
  const id = newId()
  const { audioStore, queue } = server.services.work
  const limits = { maxBytes: content.length }
  const received = await audioStore.receive(Readable.from([content]), { id, extension: 'wav', ...limits })
  await received.keep()
  await storeDocument(queue.connection, { id, ownerId, sizeBytes: received.sizeBytes, sha256: received.sha256 })
  return id
}

export interface RestoredInstance {
  dataDir: string
  uri: string
  dbName: string
}

/** Starts the embedded database of a restored data folder; it stops when the running test ends. */
export async function openRestored(dataDir: string): Promise<RestoredInstance> {
  const runtime = await makeRuntimeFolder()
  const engine = await startEmbeddedDatabase({
    dataFile: join(dataDir, 'db', 'awaz.sqlite'),
    socketPath: join(runtime, 'db.sock'),
  })
  onTestFinished(async () => {
    await engine.stop()
    await rm(runtime, { recursive: true, force: true })
  })
  return { dataDir, uri: engine.uri, dbName: 'awaz' }
}

/** Returns every document of a database as it is stored, by collection and id, and the names of the indexes. */
export async function readDatabase({ uri, dbName }: { uri: string; dbName: string }) {
  const client = await new MongoClient(uri).connect()
  try {
    const db = client.db(dbName)
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).toSorted()
    const read = async (name: string) => {
      const collection = db.collection(name)
      const documents = await collection.find<Uint8Array>({}, { raw: true }).sort({ _id: 1 }).toArray()
      const indexes = (await collection.listIndexes().toArray()).map((index) => String(index.name))
      return [name, { documents: documents.map((bytes) => Buffer.from(bytes).toString('hex')), indexes }] as const
    }
    return Object.fromEntries(await Promise.all(names.map(read)))
  } finally {
    await client.close()
  }
}

/** Returns the content of every file below a folder, by path, except in folders that the product creates itself. */
export async function readFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const named = files.map((path) => [relative(folder, path), path] as const)
  const kept = named.filter(([name]) => !/^db\/awaz\.|^tmp\/|(^|\/)\.store$/.test(name))
  return Object.fromEntries(
    await Promise.all(kept.map(async ([name, path]) => [name, (await readFile(path)).toString('base64')] as const)),
  )
}
