import { crc32 } from 'node:zlib'
import { decode } from '../bson/bson-codec.ts'
import { iterateRows, type Database } from './database.ts'

// SQLite keeps no checksum of its pages, so that a changed bit in a value stays unnoticed. Each document has a separate one: `crc`, the CRC-32 of
// `body`; null where it was written without.

/** A collection, as far as its checksums matter. */
interface CheckedTable {
  id: number
  name: string
  hasChecksums: boolean
}

/** Returns the checksum that is stored beside a document. */
export function checksumOf(body: Uint8Array): number {
  return crc32(body)
}

/**
 * Of a table of documents. The trigger removes a checksum where a version of Awaz that knows none writes another body, and the index tells which
 * documents have none.
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
 * Adds the column to a table of an earlier version. A full disk leaves the table as it is: its documents are stored without checksums until the next
 * start.
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

/** Compares each document of a collection with its checksum. Returns a sentence where some differ. */
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

/** Returns the id where it can be read; it may be what is wrong. */
function nameDocument(row: number, body: Uint8Array): string {
  try {
    return String(decode(body)._id)
  } catch {
    return `row ${row}`
  }
}
