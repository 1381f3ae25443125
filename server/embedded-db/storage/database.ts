import { setTimeout as wait } from 'node:timers/promises'
import type { Steps } from '../steps.ts'
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** The SQLite file with its cached statements and the one open transaction of a group commit. */
export interface Database {
  /** Path of the file. */
  readonly file: string
  statement(sql: string): StatementSync
  execute(sql: string): void
  /** Drops cached statements on a table that is being dropped. */
  forgetTable(table: string): void
  /** Opens the transaction of a group at its first write. */
  begin(): void
  /** Commits everything since begin. @throws the error of SQLite, in which case nothing is committed. */
  commit(): void
  rollback(): void
  /** Returns free pages to the disk, a few in each step, in the open transaction. */
  giveBackFreePages(): Steps<void>
  /** Writes the log into the file and empties it. Does nothing in a transaction. */
  truncateLog(): void
  /**
   * Copies the file to a new one while commands run, some pages at a time. The copy has the state at the time at which it ends. An error
   * thrown by `onProgress` stops it.
   */
  copyTo(path: string, onProgress: (copiedPages: number, totalPages: number) => void): Promise<void>
  readonly isInTransaction: boolean
  close(): void
}

export class DataFileLockedError extends Error {}

/**
 * Opens the data file for this process only: any other process is refused at once, and the lock is released when the process ends,
 * however that happens.
 *
 * @throws DataFileLockedError when another process has the file open.
 */
export function openDatabase(dataFile: string): Database {
  const sqlite = new DatabaseSync(dataFile)
  try {
    sqlite.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE')
    allowShrinking(sqlite)
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON')
    sqlite.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY')
    sqlite.exec('BEGIN IMMEDIATE; COMMIT')
  } catch (error) {
    sqlite.close()
    if (!/database is locked/.test(String(error))) throw error
    throw new DataFileLockedError(`the data file ${dataFile} is in use by another process`, { cause: error })
  }
  return wrap(sqlite, dataFile)
}

const incrementalVacuum = 2

/**
 * Allows a new file to shrink; a file from an earlier version is rewritten once for that. Nothing else is written, so that a file can
 * be opened on a full disk.
 */
function allowShrinking(sqlite: DatabaseSync): void {
  if (pragma(sqlite, 'auto_vacuum') === incrementalVacuum) return
  try {
    sqlite.exec('PRAGMA auto_vacuum = INCREMENTAL')
    if (pragma(sqlite, 'page_count') > 0) sqlite.exec('VACUUM')
  } catch (error) {
    if (!/disk is full|disk I\/O/.test(String(error))) throw error
  }
}

/** The number of pages kept free for the next writes: 1 MB. */
const keptFreePages = 256
const pagesPerStep = 64
/** 1 MB, copied in a separate thread; other commands wait for a few milliseconds. */
const copiedPagesPerStep = 256
const copyRetryMs = 5

/** The tables of collections and indexes, which can be dropped. */
const numberedTables = /\b(?:documents|index)_\d+\b/g

function wrap(sqlite: DatabaseSync, file: string): Database {
  const statements = new Map<string, StatementSync>()
  const statementsOfTable = new Map<string, string[]>()
  return {
    file,
    statement(sql) {
      const cached = statements.get(sql)
      if (cached) return cached
      const prepared = sqlite.prepare(sql)
      statements.set(sql, prepared)
      for (const table of sql.match(numberedTables) ?? []) {
        const others = statementsOfTable.get(table)
        if (others) others.push(sql)
        else statementsOfTable.set(table, [sql])
      }
      return prepared
    },
    execute: (sql) => sqlite.exec(sql),
    forgetTable(table) {
      for (const sql of statementsOfTable.get(table) ?? []) statements.delete(sql)
      statementsOfTable.delete(table)
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
    *giveBackFreePages() {
      while (pragma(sqlite, 'freelist_count') > keptFreePages) {
        sqlite.exec(`PRAGMA incremental_vacuum(${pagesPerStep})`)
        yield
      }
    },
    truncateLog() {
      if (!sqlite.isTransaction) sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
    async copyTo(path, onProgress) {
      const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }) =>
        onProgress(totalPages - remainingPages, totalPages)
      for (;;) {
        try {
          const copiedPages = await backup(sqlite, path, { rate: copiedPagesPerStep, progress })
          return onProgress(copiedPages, copiedPages) // Node reports no last step
        } catch (error) {
          if (!isBusyAtFirst(error)) throw error
          onProgress(0, 0)
          await wait(copyRetryMs)
        }
      }
    },
    get isInTransaction() {
      return sqlite.isTransaction
    },
    close: () => sqlite.close(),
  }
}

/**
 * Returns whether a copy found the file in a transaction at its first step. Later steps wait for the transaction to end; on the first,
 * Node believes that it was the last and rejects with the message that SQLite has for no error.
 */
function isBusyAtFirst(error: unknown): boolean {
  return error instanceof Error && error.message.includes('not an error')
}

function pragma(sqlite: DatabaseSync, name: string): number {
  return Number(Object.values(sqlite.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}

/** Returns the rows of a statement as plain objects; the caller names the columns it selected. */
export function iterateRows<Row>(statement: StatementSync, ...values: SQLInputValue[]): IterableIterator<Row> {
  // The columns are determined by the SQL text at each call.
  return statement.iterate(...values) as IterableIterator<Row>
}
