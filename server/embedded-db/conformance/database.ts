import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MongoClient, type Db, type Document } from 'mongodb'
import { afterAll, beforeAll } from 'vitest'
import { makeRuntimeFolder, startEmbeddedDatabase } from '../launch.ts'

/** The interval of the TTL sweep; also set on a mongod that permits it. */
const sweepIntervalMs = 250

export interface ContractDatabase {
  /** A database for this test file, dropped at the end. */
  readonly db: Db
  readonly uri: string
  readonly isEmbedded: boolean
}

/**
 * Opens the database under test: MONGODB_URI if set, otherwise the embedded engine. The same tests apply to both.
 */
export function useContractDatabase(): ContractDatabase {
  let client: MongoClient
  let db: Db
  let uri = process.env.MONGODB_URI ?? ''
  let stop = async (): Promise<void> => undefined
  const isEmbedded = uri === ''

  beforeAll(async () => {
    if (isEmbedded) {
      const folder = await makeRuntimeFolder()
      const paths = { dataFile: join(folder, 'contract.sqlite'), socketPath: join(folder, 'db.sock') }
      const engine = await startEmbeddedDatabase({ ...paths, sweepIntervalMs })
      uri = engine.uri
      stop = async () => {
        await engine.stop()
        await rm(folder, { recursive: true, force: true })
      }
    }
    client = await new MongoClient(uri).connect()
    db = client.db(`contract_${randomUUID().slice(0, 8)}`)
    if (!isEmbedded)
      await client
        .db('admin')
        .command({ setParameter: 1, ttlMonitorSleepSecs: 1 })
        .catch(() => undefined)
  })

  afterAll(async () => {
    await db.dropDatabase()
    await client.close()
    await stop()
  })

  return {
    isEmbedded,
    get db() {
      return db
    },
    get uri() {
      return uri
    },
  }
}

/** Returns the names of the stages of an explained plan, including COLLSCAN or IXSCAN. */
export function planStages(explained: Document): string[] {
  const names: string[] = []
  JSON.stringify(explained.queryPlanner.winningPlan, (key, value) => {
    if (key === 'stage') names.push(String(value))
    return value
  })
  return names
}
