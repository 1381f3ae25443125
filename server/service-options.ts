import type { Logger } from 'pino'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { Database } from '#data/connect.ts'

export interface ServiceOptions {
  config: Config
  database: Database
  clock: Clock
  log: Logger
  /** See `createMailer`. */
  maxMailDelayMs?: number
}
