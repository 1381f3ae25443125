import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rename, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDatabase, type Database } from '#data/connect.ts'
import { startEmbeddedDatabase } from '#server/embedded-db/launch.ts'

interface DatabaseEngine {
  uri: string
  /** File that sets the clock of the database; undefined for an external database. */
  clockFile?: string
  stop(): Promise<void>
}

const memoryFolder = '/dev/shm'
/** In containers /dev/shm often has 64 MB, which is too little for a database. */
const minMemoryBytes = 2 ** 30

let running: Promise<DatabaseEngine> | undefined
let userCount = 0
let isClockShifted = false
/** A test process keeps its engine for later test files; a script could not exit while one is running. */
const isTestProcess = process.env.VITEST !== undefined

/** Returns the engine of this process: MONGODB_URI if set; otherwise, or with `isEmbedded`, an embedded database that all callers share. */
async function acquireEngine({ isEmbedded = false }: EngineChoice): Promise<DatabaseEngine> {
  const given = isEmbedded ? undefined : process.env.MONGODB_URI
  if (given) return { uri: given, stop: async () => undefined }
  userCount += 1
  running ??= startEmbedded()
  const engine = await running
  return { ...engine, stop: () => releaseEngine(engine) }
}

async function releaseEngine(engine: DatabaseEngine): Promise<void> {
  userCount -= 1
  if (userCount > 0) return
  if (isClockShifted) await setDatabaseClock(0)
  if (isTestProcess) return
  running = undefined
  await engine.stop()
}

async function startEmbedded(): Promise<DatabaseEngine> {
  const folder = await mkdtemp(join(await databaseRoot(), 'awaz-db-'))
  const clockFile = join(folder, 'clock')
  await writeFile(clockFile, '0')
  const engine = await startEmbeddedDatabase({
    clockFile,
    dataFile: join(folder, 'test.sqlite'),
    socketPath: join(folder, 'db.sock'),
  })
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  async function stop() {
    await engine.stop()
    removeFolder()
  }
  process.once('exit', removeFolder)
  // A test process receives SIGTERM after its last file. Waits for the engine, which writes its command recording when it stops.
  process.once('SIGTERM', () => void stop().finally(() => process.kill(process.pid, 'SIGTERM')))
  return { uri: engine.uri, clockFile, stop }
}

/** In memory if there is room: on a busy machine, other writes to the disk stall each commit for longer than a call may take. */
async function databaseRoot(): Promise<string> {
  const free = await statfs(memoryFolder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= minMemoryBytes ? memoryFolder : tmpdir()
}

export interface TestDatabase extends Database {
  uri: string
  dbName: string
  /** Drops the database and closes the connection. */
  drop(): Promise<void>
}

interface EngineChoice {
  /** For tests that require the embedded database. Default false. */
  isEmbedded?: boolean
}

/** Creates an empty database with a unique name. */
export async function createTestDatabase(choice: EngineChoice = {}): Promise<TestDatabase> {
  const engine = await acquireEngine(choice)
  const dbName = `t${randomUUID().replaceAll('-', '').slice(0, 20)}`
  const database = await connectDatabase({ mongodbUri: engine.uri }, { dbName })
  async function drop() {
    await database.connection.dropDatabase().catch(() => undefined)
    await database.close()
    await engine.stop()
  }
  return { ...database, uri: engine.uri, dbName, drop }
}

/** Opens an existing database; the caller stops its engine. */
export async function openTestDatabase({ uri, dbName }: { uri: string; dbName: string }): Promise<TestDatabase> {
  const database = await connectDatabase({ mongodbUri: uri }, { dbName })
  return { ...database, uri, dbName, drop: () => database.connection.dropDatabase().then(() => database.close()) }
}

/** Whether tests can set the database's clock: that of an external database cannot be set. */
export const hasDatabaseClock = !process.env.MONGODB_URI

/** Offsets the clock of this test process's embedded database; the clock of an external database cannot be changed. */
export async function setDatabaseClock(offsetMs: number): Promise<void> {
  const { clockFile } = (await running) ?? {}
  if (!clockFile && offsetMs === 0) return
  if (!clockFile) throw new Error('This database has no clock that can be set')
  // Written to a second file and renamed: the database must never read half a number.
  await writeFile(`${clockFile}.new`, String(offsetMs))
  await rename(`${clockFile}.new`, clockFile)
  isClockShifted = offsetMs !== 0
}
