import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import type { AudioProbe } from '#data/audio-probe/audio-probe.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { Database } from '#data/connect.ts'
import type { MigrationProgress } from '#data/migrations/migration-records.ts'
import type { HashPool } from './security/hash-pool.ts'

export interface ServiceOptions {
  config: Config
  database: Database
  clock: Clock
  log: Logger
  /** Defaults to a probe that measures each upload. */
  probe?: AudioProbe
  /** Closed by the caller that opened it. Default: a separate pool for these services. */
  hashPool?: HashPool
  /** See `prepareData`. Default true. */
  canMigrate?: boolean
  /** Called while data of an earlier version is being migrated. */
  onMigration?: (progress: MigrationProgress) => void
  /** The activity of this process; closed by the caller. Default: one created by the services. */
  activity?: Activity
  /** See `createMailer`. */
  maxMailDelayMs?: number
  /** The environment of commands that the server runs. Default: that of this process. */
  commandEnv?: NodeJS.ProcessEnv
}
