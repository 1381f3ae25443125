import { MongoClient, type Db } from 'mongodb'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'

/** The kind of database. `embedded` is our own: docs/embedded-database.md. */
export type DeploymentKind = 'embedded' | 'standalone' | 'set' | 'sharded'

export interface Deployment {
  kind: DeploymentKind
  /** Number of data-bearing members of a replica set; 1 elsewhere. */
  memberCount: number
}

export interface DatabaseVersion {
  isEmbedded: boolean
  version: string
}

/** The reasons for this version are in docs/mongodb.md. */
const minVersion = '5.0'

const Hello = z.object({
  setName: z.string().optional(),
  hosts: z.array(z.string()).optional(),
  msg: z.string().optional(),
  awazEmbedded: z.boolean().optional(),
})
const BuildInfo = z.object({ version: z.string(), awazEmbedded: z.boolean().optional() })

/** Thrown where the database is older than `minVersion`. Waiting does not help. */
export class UnsupportedDatabaseError extends AppError {
  override name = 'UnsupportedDatabaseError'

  constructor(version: string) {
    super('unavailable', describeUnsupported(version), { help: 'Upgrade it: docs/mongodb.md.' })
  }
}

/**
 * Determines the kind of database, over a separate connection, and checks that `dbName` may be read. Ends when `signal` aborts.
 *
 * @throws UnsupportedDatabaseError where it is too old, and driver errors where it cannot be reached or read.
 */
export async function inspectDeployment(
  uri: string,
  { dbName, timeoutMs, signal }: { dbName: string; timeoutMs: number; signal?: AbortSignal },
): Promise<Deployment> {
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    maxPoolSize: 1,
  })
  // Not awaited: closing may wait for an operation that hangs.
  const close = () => void client.close(true).catch(() => undefined)
  signal?.addEventListener('abort', close)
  try {
    const admin = client.db('admin')
    // Any member can answer, so an election delays nothing.
    const options = { readPreference: 'nearest' as const }
    const { version } = BuildInfo.parse(await admin.command({ buildInfo: 1 }, options))
    if (isUnsupported(version)) throw new UnsupportedDatabaseError(version)
    const hello = Hello.parse(await admin.command({ hello: 1 }, options))
    // The commands above are answered without authentication; this read is not.
    await client.db(dbName).command({ count: 'users', limit: 1 }, options)
    return { kind: kindOf(hello), memberCount: hello.hosts?.length ?? 1 }
  } catch (error) {
    // The driver itself rejects servers that are too old for it, with a message that names protocol versions.
    const tooOld = /maximum wire version (\d+)/.exec(error instanceof Error ? error.message : '')
    throw tooOld ? new UnsupportedDatabaseError(`with wire version ${tooOld[1]}`) : error
  } finally {
    signal?.removeEventListener('abort', close)
    close()
  }
}

/** Returns a message that the database is too old; undefined where it is not. */
export async function findUnsupportedVersion({ db }: { db?: Db | undefined }): Promise<string | undefined> {
  if (!db) throw new Error('The database connection is closed')
  const { version } = BuildInfo.parse(await db.admin().command({ buildInfo: 1 }))
  return isUnsupported(version) ? describeUnsupported(version) : undefined
}

/** Returns which database is in use, and the version of MongoDB or of the SQLite beneath the embedded database. */
export async function readDatabaseVersion({ db }: { db?: Db | undefined }): Promise<DatabaseVersion> {
  if (!db) throw new Error('The database connection is closed')
  const { version, awazEmbedded = false } = BuildInfo.parse(await db.admin().command({ buildInfo: 1 }))
  // The embedded database reports the MongoDB version that it emulates. It runs on the same Node as this process.
  return awazEmbedded
    ? { isEmbedded: true, version: process.versions.sqlite ?? version }
    : { isEmbedded: false, version }
}

function describeUnsupported(version: string): string {
  return `MongoDB ${version} is too old: Awaz needs MongoDB ${minVersion} or later.`
}

function isUnsupported(version: string): boolean {
  const [major = 0] = version.split('.').map(Number)
  return major < Number(minVersion.split('.')[0])
}

function kindOf({ setName, msg, awazEmbedded }: z.infer<typeof Hello>): DeploymentKind {
  if (awazEmbedded) return 'embedded'
  if (msg === 'isdbgrid') return 'sharded'
  return setName === undefined ? 'standalone' : 'set'
}
