import type { Database } from '#data/connect.ts'
import type { Stack } from '#testing/stack.ts'

/** What every part measures: a running product with its data and database. */
export interface Bench {
  stack: Stack
  database: Database
  /** A text in the environment of all its processes. */
  mark: string
  /** Access token of the first admin. */
  token: string
}
