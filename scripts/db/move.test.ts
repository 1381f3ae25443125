import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BSON, Binary, Double, Int32, Long, MongoClient, ObjectId, type Db } from 'mongodb'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeRuntimeFolder, startEmbeddedDatabase, type EmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { createTestDatabase } from '#testing/database.ts'
import { startScriptedMongo } from '#testing/scripted-mongo/scripted-mongo.ts'
import { documentsFile } from './dump-format.ts'
import { exportDatabase } from './export.ts'
import { importDatabase } from './import.ts'

let folder: string
let runtime: string
let engine: EmbeddedDatabase
let client: MongoClient

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awaz-move-'))
  runtime = await makeRuntimeFolder()
  engine = await startEmbeddedDatabase({ dataFile: join(runtime, 'move.sqlite'), socketPath: join(runtime, 'db.sock') })
  client = await new MongoClient(process.env.MONGODB_URI ?? engine.uri).connect()
})

afterAll(async () => {
  for (const name of ['source', 'target', 'elsewhere']) await client.db(name).dropDatabase()
  await client.close()
  await engine.stop()
  for (const path of [folder, runtime]) await rm(path, { recursive: true, force: true })
})

async function fill(db: Db): Promise<void> {
  await db.collection('users').createIndex({ email: 1 }, { unique: true })
  await db
    .collection('users')
    .insertMany(Array.from({ length: 2500 }, (_, i) => ({ email: `u${i}@a.b`, n: i, half: i + 0.5 })))
  await db.collection('kinds').insertOne({
    double: new Double(5),
    int: new Int32(5),
    long: Long.fromString('9007199254740993'),
    date: new Date(-1),
    bytes: new Binary(Buffer.from([0, 1, 255])),
    regex: new BSON.BSONRegExp('a b', 'i'),
    nested: { list: [null, [], {}, true, 'ツ\0'], id: new ObjectId() },
  })
  await db.collection('kinds').createIndex({ date: 1 }, { expireAfterSeconds: 3_000_000_000 / 2 })
  await db.collection('with space/and slash').insertOne({ a: 1 })
  await db.createCollection('empty')
}

/** Returns every document as stored, and every index. */
async function contents(db: Db) {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).toSorted()
  const read = async (name: string) => {
    const documents = await db.collection(name).find<Uint8Array>({}, { raw: true }).sort({ _id: 1 }).toArray()
    const indexes = await db.collection(name).listIndexes().toArray()
    return { name, documents: documents.map((bytes) => Buffer.from(bytes).toString('hex')), indexes }
  }
  return Promise.all(names.map(read))
}

test('a moved database holds the same documents, byte by byte, and the same indexes', async () => {
  const uri = process.env.MONGODB_URI ?? engine.uri
  await fill(client.db('source'))
  const path = join(folder, 'whole')
  const exported = await exportDatabase({ uri, dbName: 'source', folder: path })
  expect(exported.find(({ name }) => name === 'users')?.documents).toBe(2500)
  await importDatabase({ uri, dbName: 'target', folder: path })
  expect(await contents(client.db('target'))).toEqual(await contents(client.db('source')))
  expect((await stat(path)).mode & 0o777).toBe(0o700)
  for (const name of await readdir(path)) expect((await stat(join(path, name))).mode & 0o777).toBe(0o600)
})

test('an export is refused into a folder that holds anything, an import into a database that does', async () => {
  const uri = process.env.MONGODB_URI ?? engine.uri
  const path = join(folder, 'whole')
  await expect(exportDatabase({ uri, dbName: 'source', folder: path })).rejects.toThrow('is not empty')
  await expect(importDatabase({ uri, dbName: 'source', folder: path })).rejects.toThrow('holds documents already')
})

test('a damaged or unfinished export is refused before anything is written', async () => {
  const uri = process.env.MONGODB_URI ?? engine.uri
  const path = join(folder, 'damaged')
  await exportDatabase({ uri, dbName: 'source', folder: path })
  await appendFile(documentsFile(path, 'users'), 'x')
  await expect(importDatabase({ uri, dbName: 'elsewhere', folder: path })).rejects.toThrow('The export is damaged')
  await rm(join(path, 'manifest.json'))
  await expect(importDatabase({ uri, dbName: 'elsewhere', folder: path })).rejects.toThrow('holds no whole export')
  expect(await client.db('elsewhere').listCollections().toArray()).toEqual([])
})

test('what an import writes is acknowledged as what the product writes, whatever the address says', async () => {
  const database = await createTestDatabase({ isEmbedded: true })
  const set = await startScriptedMongo({ upstreamUri: database.uri })
  onTestFinished(async () => {
    await set.close()
    await database.drop()
  })
  const path = join(folder, 'acknowledged')
  await client.db('source').collection('few').insertOne({ a: 1 })
  await exportDatabase({ uri: engine.uri, dbName: 'source', folder: path })
  await importDatabase({ uri: `${set.uri}&w=1&journal=false&wtimeoutMS=5`, dbName: database.dbName, folder: path })
  const concerns = set.commands
    .filter((command) => 'insert' in command || 'createIndexes' in command || 'create' in command)
    .map(({ writeConcern }) => writeConcern)
  expect(concerns).not.toEqual([])
  for (const concern of concerns) expect(concern).toMatchObject({ w: 'majority', j: true })
})
