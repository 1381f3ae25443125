import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { Finding, FindingTable } from './finding.ts'

/** What every check receives. */
export interface HostContext {
  config: Config
  env: NodeJS.ProcessEnv
  /** `--all`: checks every audio file and every byte for which a hash is known. */
  isThorough: boolean
  /** `--fix`. */
  isFixing: boolean
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
  now: () => Date
}

/** What checks receive once the database is open. */
export interface DatabaseContext extends HostContext {
  connection: DatabaseConnection
  /** Whether Awaz is running. Otherwise engines, and an answer at the public address, are not expected. */
  isRunning: boolean
}

export interface Check<Context extends HostContext = HostContext> {
  /** Short, for `--verbose` and progress. */
  name: string
  findings: FindingTable
  run: (context: Context) => Promise<Finding[]>
}
