import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { Finding, FindingTable } from './finding.ts'

/** What every check gets. */
export interface HostContext {
  config: Config
  env: NodeJS.ProcessEnv
  /** `--all`: every sound file and every byte that a hash is known of. */
  isThorough: boolean
  /** `--fix`. */
  isFixing: boolean
  signal: AbortSignal
  onProgress: (done: number, total: number) => void
  now: () => Date
}

/** What checks get once the database is open. */
export interface DatabaseContext extends HostContext {
  connection: DatabaseConnection
  /** Whether Awaz runs. Otherwise no one expects engines, or an answer at the public address. */
  isRunning: boolean
}

export interface Check<Context extends HostContext = HostContext> {
  /** Short, for `--verbose` and progress. */
  name: string
  findings: FindingTable
  run: (context: Context) => Promise<Finding[]>
}
