import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** The SQLite file with its cached statements and the one open transaction of a group commit. */
export interface Database {
  statement(sql: string): StatementSync
  execute(sql: string): void
  /** Forgets cached statements that name a table which is being dropped. */
  forgetTable(table: string): void
  /** Opens the transaction that the commands of one group share, when a write comes. */
  begin(): void
  /** Makes everything since begin durable. @throws what SQLite reports; nothing is kept then. */
  commit(): void
  rollback(): void
  readonly isInTransaction: boolean
  close(): void
}

export class DataFileLockedError extends Error {}

/**
 * Opens the data file for this process alone: a second opener is refused at once, and the lock ends with the process
 * however it ends.
 *
 * @throws DataFileLockedError when another process has the file open.
 */
export function openDatabase(dataFile: string): Database {
  const sqlite = new DatabaseSync(dataFile)
  try {
    sqlite.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL')
    sqlite.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY')
    sqlite.exec('BEGIN IMMEDIATE; COMMIT')
  } catch (error) {
    sqlite.close()
    if (!/database is locked/.test(String(error))) throw error
    throw new DataFileLockedError(`the data file ${dataFile} is in use by another process`, { cause: error })
  }
  return wrap(sqlite)
}

function wrap(sqlite: DatabaseSync): Database {
  const statements = new Map<string, StatementSync>()
  return {
    statement(sql) {
      const cached = statements.get(sql)
      if (cached) return cached
      const prepared = sqlite.prepare(sql)
      statements.set(sql, prepared)
      return prepared
    },
    execute: (sql) => sqlite.exec(sql),
    forgetTable(table) {
      for (const sql of statements.keys()) if (sql.split(/\W+/).includes(table)) statements.delete(sql)
    },
    begin() {
      if (!sqlite.isTransaction) sqlite.exec('BEGIN IMMEDIATE')
    },
    commit() {
      if (sqlite.isTransaction) sqlite.exec('COMMIT')
    },
    rollback() {
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
    },
    get isInTransaction() {
      return sqlite.isTransaction
    },
    close: () => sqlite.close(),
  }
}

/** Rows of a statement as plain objects; the caller names the columns it selected. */
export function iterateRows<Row>(statement: StatementSync, ...values: SQLInputValue[]): IterableIterator<Row> {
  // The columns are fixed by the SQL text beside each call.
  return statement.iterate(...values) as IterableIterator<Row>
}
