import { iterateRows, type Database } from './database.ts'

/** At start at most so long is spent on looking for damage: a file of about a gigabyte. */
const startBudgetMs = 3000

/** What is known of damage to the data file. */
export interface DamageMonitor {
  /** The first damage that was found, as SQLite describes it; undefined where none is known. */
  readonly found: string | undefined
  /** Remembers an error of SQLite if it means damage. */
  record(error: unknown): void
}

/**
 * Checks the structure of the tables (SQLite's quick_check) one after the other, as many as fit into the budget. What it does not come to shows when
 * it is read: pass that to `record`.
 */
export function monitorDamage(database: Database, { budgetMs = startBudgetMs } = {}): DamageMonitor {
  let found = findDamage(database, performance.now() + budgetMs)
  return {
    get found() {
      return found
    },
    record(error) {
      if (isDamage(error)) found ??= describe(error)
    },
  }
}

function findDamage(database: Database, untilMs: number): string | undefined {
  try {
    const tables = [...iterateRows<{ name: string }>(database.statement(listTables))]
    for (const { name } of tables) {
      if (performance.now() > untilMs) return undefined
      const sql = `PRAGMA quick_check('${name.replaceAll("'", "''")}')`
      const [check] = iterateRows<{ quick_check: string }>(database.statement(sql))
      if (check?.quick_check !== 'ok') return `${name}: ${firstProblem(check?.quick_check ?? 'no answer')}`
    }
    return undefined
  } catch (error) {
    if (isDamage(error)) return describe(error)
    throw error
  }
}

/** A report begins with the name of the database between asterisks, and has a line per problem. */
function firstProblem(report: string): string {
  return report.split('\n').find((line) => !line.startsWith('***')) ?? report
}

const listTables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"

/** SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org, "Result and Error Codes"). */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && /malformed|file is not a database/.test(error.message)
}

function describe(error: Error): string {
  return error.message
}
