// Kills the embedded database with SIGKILL amid acknowledged writes, and checks after each round that no acknowledged write is lost and
// that indexes agree with documents:
//   node scripts/embedded-db/kill-rounds.ts [rounds, default 50] [data folder, default the temporary folder]
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient, type Collection } from 'mongodb'
import { decode } from '#server/embedded-db/bson/bson-codec.ts'
import { openCatalog } from '#server/embedded-db/storage/catalog.ts'
import { openDatabase } from '#server/embedded-db/storage/database.ts'
import { findProblems } from '#server/embedded-db/storage/integrity.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { openStore } from '#server/embedded-db/storage/store.ts'

const writerCount = 16
const writeMs = { min: 150, spread: 500 }

interface Written {
  _id: string
  unique: string
  group: number
  version: number
  tags: string[]
}

/** State of a document as its client knows it: the last acknowledged version, and the command in flight at the kill. */
interface Known {
  version: number
  isRemoved: boolean
  pending?: 'write' | 'removal' | undefined
}

interface Totals {
  acknowledged: number
  lost: string[]
  problems: string[]
}

async function writeUntilKilled(
  collection: Collection<Written>,
  round: number,
  writer: number,
  known: Map<string, Known>,
  totals: Totals,
) {
  for (let count = 0; ; count++) {
    const _id = `${round}-${writer}-${count}`
    const state: Known = { version: -1, isRemoved: false, pending: 'write' }
    known.set(_id, state)
    const acknowledge = (change: Partial<Known>) => {
      Object.assign(state, change, { pending: undefined })
      totals.acknowledged++
    }
    try {
      await collection.insertOne({ _id, unique: `u${_id}`, group: writer, version: 0, tags: ['new', `w${writer}`] })
      acknowledge({ version: 0 })
      if (count % 3 === 0) {
        state.pending = 'write'
        await collection.findOneAndUpdate({ _id, version: 0 }, { $inc: { version: 1 }, $push: { tags: 'changed' } })
        acknowledge({ version: 1 })
      }
      if (count % 7 === 0) {
        state.pending = 'removal'
        await collection.deleteOne({ unique: `u${_id}` })
        acknowledge({ isRemoved: true })
      }
    } catch {
      return
    }
  }
}

async function runRound(
  round: number,
  dataFile: string,
  socketPath: string,
  known: Map<string, Known>,
  totals: Totals,
) {
  const database = await startEmbeddedDatabase({ dataFile, socketPath })
  const client = await new MongoClient(database.uri, {
    serverSelectionTimeoutMS: 300,
    maxPoolSize: writerCount,
  }).connect()
  try {
    const collection = client.db().collection<Written>('written')
    await collection.createIndex({ unique: 1 }, { unique: true })
    await collection.createIndex({ group: 1, version: -1 })
    await collection.createIndex({ tags: 1 })
    const writers = Array.from({ length: writerCount }, (_, writer) =>
      writeUntilKilled(collection, round, writer, known, totals),
    )
    await delay(writeMs.min + Math.random() * writeMs.spread)
    process.kill(database.pid, 'SIGKILL')
    await Promise.all([database.exited, ...writers])
  } finally {
    await client.close()
  }
}

/** Reads the data file directly, so that no index hides a missing document. */
function inspectFile(dataFile: string, known: Map<string, Known>, totals: Totals, round: number): void {
  const database = openDatabase(dataFile)
  const store = openStore(database, openCatalog(database))
  const collection = store.catalog.find('awaz', 'written')
  const versions = new Map<string, number>()
  for (const { body } of collection ? store.scan(collection) : []) {
    const document = decode(body)
    versions.set(String(document._id), Number(document.version))
  }
  for (const [id, state] of known) {
    const complaint = describeLoss(state, versions.get(id))
    if (complaint) totals.lost.push(`round ${round}, ${id}: ${complaint}`)
    if (versions.has(id)) known.set(id, { version: versions.get(id) ?? 0, isRemoved: false })
    else known.delete(id)
  }
  for (const problem of findProblems(database, store.catalog)) totals.problems.push(`round ${round}: ${problem}`)
  database.close()
}

function describeLoss({ version, isRemoved, pending }: Known, found: number | undefined): string | undefined {
  if (isRemoved) return found === undefined ? undefined : 'an acknowledged removal is undone'
  if (version < 0) return undefined
  if (found === undefined) return pending === 'removal' ? undefined : 'an acknowledged document is missing'
  return found >= version ? undefined : `version ${found} instead of the acknowledged ${version}`
}

const rounds = Number(process.argv[2] ?? 50)
const runtimeFolder = await makeRuntimeFolder()
const dataFolder = process.argv[3] ?? runtimeFolder
await mkdir(dataFolder, { recursive: true })
const dataFile = join(dataFolder, 'kill-rounds.sqlite')
const known = new Map<string, Known>()
const totals: Totals = { acknowledged: 0, lost: [], problems: [] }
try {
  for (let round = 0; round < rounds; round++) {
    await runRound(round, dataFile, join(runtimeFolder, 'db.sock'), known, totals)
    inspectFile(dataFile, known, totals, round)
  }
} finally {
  for (const suffix of ['', '-wal', '-shm']) await rm(dataFile + suffix, { force: true })
  await rm(runtimeFolder, { recursive: true, force: true })
}
for (const line of [...totals.lost, ...totals.problems]) console.log(line)
console.log(
  `${rounds} rounds, ${totals.acknowledged} writes acknowledged, ${totals.lost.length} lost, ${totals.problems.length} index problems`,
)
process.exitCode = totals.lost.length + totals.problems.length > 0 ? 1 : 0
