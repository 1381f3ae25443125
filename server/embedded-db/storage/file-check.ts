import { statSync } from 'node:fs'
import type { Steps } from '../steps.ts'
import { iterateRows, type Database } from './database.ts'

export interface FileCheckStatus {
  /** Whether the file was read to its end. */
  isDone: boolean
  /** What SQLite reports about the first damage; missing if none was found. */
  problem?: string
}

/** Looks for damage in the data file: to pages, and to the order in tables and indexes. */
export interface FileCheck {
  /** Reads the file, one table per step; a table too large to be read between other commands is left to backups. */
  run(): Steps<void>
  /** Remembers an error of SQLite if it indicates damage that the check missed or has not reached yet. */
  record(error: unknown): void
  status(): FileCheckStatus
}

/** A table is read in one go: 120 MB took 0.75 s on a busy machine. */
const maxCheckedBytes = 128 * 1024 * 1024

export function createFileCheck(database: Database): FileCheck {
  let isDone = false
  let problem: string | undefined

  function* run(): Steps<void> {
    if (statSync(database.file).size > maxCheckedBytes) return
    for (const table of listTables(database)) {
      problem ??= findDamage(database, table)
      yield
    }
    isDone = true
  }

  function record(error: unknown): void {
    if (isDamage(error)) problem ??= error.message
  }

  return { run, record, status: () => ({ isDone, ...(problem !== undefined && { problem }) }) }
}

/** Returns whether an error is SQLITE_CORRUPT or SQLITE_NOTADB (sqlite.org, "Result and Error Codes"). */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && /malformed|file is not a database/.test(error.message)
}

function listTables(database: Database): string[] {
  const rows = iterateRows<{ name: string }>(database.statement("SELECT name FROM sqlite_schema WHERE type = 'table'"))
  return [...rows].map(({ name }) => name)
}

function findDamage(database: Database, table: string): string | undefined {
  try {
    const [row] = iterateRows<{ quick_check: string }>(database.statement(`PRAGMA quick_check('${table}')`))
    return row === undefined || row.quick_check === 'ok' ? undefined : firstLine(row.quick_check)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    database.forgetTable(table)
  }
}

/** Returns the first problem that SQLite lists below the name of the database. */
function firstLine(report: string): string {
  return report.split('\n').find((line) => !line.startsWith('***')) ?? report
}
