import { crc32 } from 'node:zlib'
import { decode } from '../bson/bson-codec.ts'
import { iterateRows, type Database } from './database.ts'

// SQLite keeps no checksums of its pages, so a flipped bit in a value goes unnoticed. Each document therefore has a separate checksum:
// `crc`, the CRC-32 of `body`; null if it was written without one.

/** The parts of a collection that matter for checksums. */
interface CheckedTable {
  id: number
  name: string
  hasChecksums: boolean
}

/** Returns the checksum to store with a document. */
export function checksumOf(body: Uint8Array): number {
  return crc32(body)
}

/**
 * Returns the checksum schema for a table of documents. The trigger removes a checksum when a version of Awaz without checksums writes
 * another body, and the index finds the documents that have none.
 */
function checksumSchema(id: number): string {
  return `
    CREATE INDEX unchecked_${id} ON documents_${id} (row) WHERE crc IS NULL;
    CREATE TRIGGER stale_${id} AFTER UPDATE OF body ON documents_${id}
      WHEN NEW.crc IS OLD.crc AND NEW.body IS NOT OLD.body
      BEGIN UPDATE documents_${id} SET crc = NULL WHERE row = NEW.row; END`
}

/** Creates the table of a new collection. */
export function createDocuments(database: Database, id: number): void {
  const columns = 'row INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL, crc INTEGER'
  database.execute(`CREATE TABLE documents_${id} (${columns}); ${checksumSchema(id)}`)
}

/** Returns the ids of the collections whose tables have checksums. */
export function readCheckedIds(database: Database): Set<number> {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"
  const names = [...iterateRows<{ name: string }>(database.statement(sql))].map(({ name }) => name)
  return new Set(names.flatMap((name) => /^stale_(\d+)$/.exec(name)?.[1] ?? []).map(Number))
}

/**
 * Adds the column to a table from an earlier version. On a full disk the table is left unchanged, and its documents are stored without
 * checksums until the next start.
 */
export function addChecksumColumn(database: Database, id: number): void {
  try {
    database.begin()
    database.execute(`ALTER TABLE documents_${id} ADD COLUMN crc INTEGER; ${checksumSchema(id)}`)
    database.commit()
  } catch (error) {
    database.rollback()
    if (!/disk is full|disk I\/O/.test(String(error))) throw error
  }
}

const maxNamed = 3

/** Compares each document of a collection with its checksum. Returns a sentence if some differ. */
export function findWrongDocuments(database: Database, { id, name, hasChecksums }: CheckedTable): string[] {
  if (!hasChecksums) return []
  const wrong: string[] = []
  const sql = `SELECT row, body, crc FROM documents_${id} WHERE crc IS NOT NULL`
  for (const { row, body, crc } of iterateRows<{ row: number; body: Uint8Array; crc: number }>(database.statement(sql)))
    if (checksumOf(body) !== crc) wrong.push(nameDocument(row, body))
  if (wrong.length === 0) return []
  const named = wrong.slice(0, maxNamed).join(', ') + (wrong.length > maxNamed ? ' and others' : '')
  const what = wrong.length === 1 ? 'one document is' : `${wrong.length} documents are`
  return [`${name}: ${what} not what was stored, by the checksum (${named})`]
}

/** Returns the id if it can be read; the id itself may be what is damaged. */
function nameDocument(row: number, body: Uint8Array): string {
  try {
    return String(decode(body)._id)
  } catch {
    return `row ${row}`
  }
}
