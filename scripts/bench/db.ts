import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MongoClient, ObjectId, type Collection } from 'mongodb'
import { requireMongoServer } from '../test-runs/mongo-server.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'

const userCount = 5000
const jobStates = ['queued', 'running', 'done', 'failed']
const firstDateMs = Date.UTC(2026, 0, 1)
const clientCount = 32

interface Sample {
  _id: ObjectId
  number: number
  user: string
  state: string
  createdAt: Date
  tags: string[]
  text: string
}

/**
 * Measures the embedded database with five indexes and 100,000 documents of about 350 bytes: restart, inserts, point reads, ranges and
 * atomic claims, and how long others wait while a command changes every document. Options: --documents N, --folder DIR (for the data;
 * default: the temporary folder), --mongo (a MongoDB server instead: MONGODB_URI, or MONGOD).
 */
export async function run(args: string[]): Promise<void> {
  const options = {
    documents: { type: 'string', default: '100000' },
    folder: { type: 'string' },
    mongo: { type: 'boolean', default: false },
  } as const
  const { values } = parseArgs({ args, options })
  if (values.mongo) return measureMongo(Number(values.documents))
  const runtimeFolder = await makeRuntimeFolder()
  const dataFile = join(values.folder ?? runtimeFolder, 'bench.sqlite')
  const paths = { dataFile, socketPath: join(runtimeFolder, 'db.sock') }
  try {
    await withCollection(paths, async (collection, client) => {
      await fill(collection, client, Number(values.documents))
      const { size } = await stat(paths.dataFile)
      console.log(`file ${Math.round(size / 2 ** 20)} MiB`)
    })
    await measureRestart(paths)
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(dataFile + suffix, { force: true })
    await rm(runtimeFolder, { recursive: true, force: true })
  }
}

interface Paths {
  dataFile: string
  socketPath: string
}

async function withCollection(
  paths: Paths,
  use: (collection: Collection<Sample>, client: MongoClient) => Promise<void>,
) {
  const database = await startEmbeddedDatabase({ ...paths, sweepIntervalMs: 1000 })
  const client = await new MongoClient(database.uri, { maxPoolSize: clientCount }).connect()
  try {
    await use(client.db().collection<Sample>('samples'), client)
  } finally {
    await client.close()
    await database.stop()
  }
}

/** Measures the same on a MongoDB server, in a separate database that is dropped at the end. */
async function measureMongo(documents: number): Promise<void> {
  const server = await requireMongoServer()
  const client = await new MongoClient(server.uri, { maxPoolSize: clientCount }).connect()
  const db = client.db(`awaz-bench-${process.pid}`)
  try {
    console.log(`MongoDB ${server.version}`)
    await fill(db.collection<Sample>('samples'), client, documents)
  } finally {
    await db.dropDatabase()
    await client.close()
    await server.stop()
  }
}

async function fill(collection: Collection<Sample>, client: MongoClient, documents: number): Promise<void> {
  await collection.createIndexes([
    { key: { user: 1, createdAt: -1 } },
    { key: { state: 1, createdAt: 1 } },
    { key: { number: 1 } },
    { key: { tags: 1 } },
  ])
  let made = 0
  const next = () => sample(made++)
  await measure('insertOne, one client', 2000, 1, () => collection.insertOne(next()))
  await measure(`insertOne, ${clientCount} clients (group commit)`, 8000, clientCount, () =>
    collection.insertOne(next()),
  )
  const batches = Math.ceil((documents - made) / 1000)
  await measure('insertMany, 1,000 documents a call', batches, 1, () =>
    collection.insertMany(Array.from({ length: 1000 }, next)),
  )
  await measureReads(collection, made)
  await measureWrites(collection)
  await measurePings(client, collection)
  const { mem } = await client.db().admin().serverStatus()
  console.log(`${made} documents, memory ${mem.resident} MiB`)
}

function sample(number: number): Sample {
  return {
    _id: new ObjectId(),
    number,
    user: `user ${number % userCount}`,
    state: jobStates[number % jobStates.length] ?? '',
    createdAt: new Date(firstDateMs + number * 1000),
    tags: [`t${number % 50}`, `k${number % 7}`],
    text: 'lorem ipsum dolor sit amet '.repeat(6),
  }
}

async function measureReads(collection: Collection<Sample>, documents: number): Promise<void> {
  const ids = (
    await collection
      .find({}, { projection: { _id: 1 } })
      .limit(5000)
      .toArray()
  ).map(({ _id }) => _id)
  const findOne = () => collection.findOne({ _id: pick(ids) })
  await measure('findOne by _id, one client', 5000, 1, findOne)
  await measure(`findOne by _id, ${clientCount} clients`, 10_000, clientCount, findOne)
  await measure('equality, sorted, first 5', 2000, 1, () =>
    collection
      .find({ user: `user ${below(userCount)}` })
      .sort({ createdAt: -1 })
      .limit(5)
      .toArray(),
  )
  await measure('indexed range of 50', 1000, 1, () => {
    const from = firstDateMs + below(documents - 200) * 1000
    const createdAt = { $gte: new Date(from), $lt: new Date(from + 200_000) }
    return collection.find({ state: 'done', createdAt }).toArray()
  })
  await measure('count of a regex, full scan', 3, 1, () => collection.countDocuments({ text: /zzz/i }))
}

async function measureWrites(collection: Collection<Sample>): Promise<void> {
  const claim = () =>
    collection.findOneAndUpdate({ state: 'queued' }, { $set: { state: 'running' } }, { sort: { createdAt: 1 } })
  await measure('atomic claim, one client', 1000, 1, claim)
  await measure('atomic claim, 8 clients', 2000, 8, claim)
}

/** Measures how long others wait for an answer while one command works on all documents. */
async function measurePings(client: MongoClient, collection: Collection<Sample>): Promise<void> {
  const expiring = client.db(collection.dbName).collection('expiring')
  const copies = await collection.find({}, { projection: { _id: 0, number: 1, text: 1 } }).toArray()
  await expiring.insertMany(copies.map((copy) => ({ ...copy, at: new Date(0) })))
  await measurePing(client, 'updateMany of an indexed date', () =>
    collection.updateMany({}, { $set: { createdAt: new Date(firstDateMs) } }),
  )
  // The index is built in one go, which is not part of the sweep: so everything expires a little later.
  await expiring.createIndex({ at: 1 }, { expireAfterSeconds: Math.round(Date.now() / 1000) + 10 })
  await measurePing(client, 'TTL sweep', async () => {
    while ((await expiring.estimatedDocumentCount()) > 0) await sleep(50)
  })
  await measurePing(client, 'deleteMany', () => collection.deleteMany({ number: { $gte: 0 } }))
}

async function measurePing(client: MongoClient, name: string, work: () => Promise<unknown>): Promise<void> {
  const pingsMs: number[] = []
  const startMs = performance.now()
  const done = new AbortController()
  const working = work().finally(() => done.abort())
  while (!done.signal.aborted) {
    const beganMs = performance.now()
    await client.db().command({ ping: 1 })
    pingsMs.push(performance.now() - beganMs)
    await sleep(5)
  }
  await working
  const sorted = pingsMs.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  console.log(`ping during ${name} (${seconds} s): median ${at(0.5)} ms, most ${at(1)} ms`)
}

/** The time of a restart varies by half from one to the next. */
const restartRounds = 15

async function measureRestart(paths: Paths): Promise<void> {
  const timesMs: number[] = []
  for (let round = 0; round < restartRounds; round += 1) {
    const startMs = performance.now()
    await withCollection(paths, async (collection) => {
      await collection.findOne({ number: 1 })
      timesMs.push(performance.now() - startMs)
    })
  }
  const median = timesMs.toSorted((a, b) => a - b)[Math.floor(restartRounds / 2)] ?? 0
  console.log(`restart to the first answer: ${Math.round(median)} ms`)
}

/** Runs a task a number of times with this many clients at once and prints the rate and the latency. */
async function measure(name: string, times: number, clients: number, task: () => Promise<unknown>): Promise<void> {
  const latenciesMs: number[] = []
  const startMs = performance.now()
  let left = times
  const client = async () => {
    while (left-- > 0) {
      const beganMs = performance.now()
      await task()
      latenciesMs.push(performance.now() - beganMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const rate = (times / (performance.now() - startMs)) * 1000
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
  console.log(
    `${name.padEnd(40)} ${rate.toFixed(rate < 10 ? 1 : 0).padStart(8)}/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms`,
  )
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit)
}

function pick<T>(list: readonly T[]): T | undefined {
  return list[below(list.length)]
}
