import type { Steps } from '../steps.ts'
import type { Catalog, Collection } from './catalog.ts'
import { checksumOf } from './checksums.ts'
import { iterateRows, type Database } from './database.ts'

const batchSize = 64

/** Adds checksums to documents that have none, a few per step. */
export function* addMissingChecksums(database: Database, catalog: Catalog): Steps<void> {
  for (const { id, database: namespace, name } of catalog.all()) {
    // Looked up each time, because another command may have dropped it during a pause.
    while (catalog.find(namespace, name)?.id === id && addSome(database, catalog.find(namespace, name))) yield
  }
}

/** Returns whether there may be more. */
function addSome(database: Database, collection: Collection | undefined): boolean {
  if (!collection?.hasChecksums) return false
  const documents = `documents_${collection.id}`
  const sql = `SELECT row FROM ${documents} WHERE crc IS NULL ORDER BY row LIMIT ${batchSize}`
  const rows = [...iterateRows<{ row: number }>(database.statement(sql))]
  if (rows.length > 0) database.begin()
  for (const { row } of rows) {
    const [stored] = iterateRows<{ body: Uint8Array }>(
      database.statement(`SELECT body FROM ${documents} WHERE row = ?`),
      row,
    )
    if (stored) database.statement(`UPDATE ${documents} SET crc = ? WHERE row = ?`).run(checksumOf(stored.body), row)
  }
  return rows.length === batchSize
}
