import { crc32 } from 'node:zlib'
import { iterateRows, type Database } from './database.ts'

/** A row of `collections` or `indexes`, with the two parts its checksum covers. `multikey` is compared with the documents instead. */
interface CatalogRow {
  id: number
  head: string
  body: Uint8Array | string
  crc: number | null
}

const tables = {
  collections: "SELECT id, database || '.' || name AS head, uuid AS body, crc FROM collections",
  indexes: 'SELECT id, CAST(collection AS TEXT) AS head, specification AS body, crc FROM indexes',
} as const

type CatalogTable = keyof typeof tables

/**
 * Adds checksums to the catalogue rows that have none: new rows, and rows written by a version of Awaz without checksums. Does nothing if
 * the tables have no column for them, because a full disk prevented the upgrade of an earlier file.
 */
export function addCatalogChecksums(database: Database): void {
  for (const table of Object.keys(tables) as CatalogTable[]) {
    if (!hasColumn(database, table)) continue
    const rows = readRows(database, table, ' WHERE crc IS NULL')
    if (rows.length > 0) database.begin()
    for (const row of rows) database.statement(`UPDATE ${table} SET crc = ? WHERE id = ?`).run(checksumOf(row), row.id)
  }
}

/** Adds the checksum column to tables from an earlier version, unless the disk is full. */
export function addCatalogColumns(database: Database): void {
  try {
    database.begin()
    for (const table of Object.keys(tables))
      if (!hasColumn(database, table)) database.execute(`ALTER TABLE ${table} ADD COLUMN crc INTEGER`)
    addCatalogChecksums(database)
    database.commit()
  } catch (error) {
    database.rollback()
    if (!/disk is full|disk I\/O/.test(String(error))) throw error
  }
}

/** Compares the catalogue rows with their checksums. Returns one sentence per table with wrong rows. */
export function findWrongCatalogRows(database: Database): string[] {
  return (Object.keys(tables) as CatalogTable[]).flatMap((table) => {
    if (!hasColumn(database, table)) return []
    const wrong = readRows(database, table, ' WHERE crc IS NOT NULL').filter((row) => checksumOf(row) !== row.crc)
    return wrong.length === 0 ? [] : [`The list of ${table} is not what was stored, by its checksum`]
  })
}

function checksumOf({ head, body }: CatalogRow): number {
  return crc32(body, crc32(head))
}

function readRows(database: Database, table: CatalogTable, filter: string): CatalogRow[] {
  return [...iterateRows<CatalogRow>(database.statement(`${tables[table]}${filter}`))]
}

function hasColumn(database: Database, table: string): boolean {
  const sql = `SELECT name FROM pragma_table_info('${table}')`
  return [...iterateRows<{ name: string }>(database.statement(sql))].some(({ name }) => name === 'crc')
}
