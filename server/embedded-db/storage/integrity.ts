import { decode } from '../bson/bson-codec.ts'
import type { Catalog, Collection, Index } from './catalog.ts'
import { findWrongCatalogRows } from './catalog-checksums.ts'
import { findWrongDocuments } from './checksums.ts'
import { iterateRows, type Database } from './database.ts'
import { indexedKeys } from './store.ts'
import type { StoredDocument } from './scans.ts'

interface IndexEntry {
  key: Uint8Array
  row: number
}

interface CheckOptions {
  /** Whether each index is compared with the documents, which takes memory in proportion to its size. Default true. */
  comparesIndexes?: boolean
}

/**
 * Runs the integrity check of SQLite, compares every document with its checksum, and every index with the documents if those are intact.
 * Returns one sentence per problem.
 */
export function findProblems(
  database: Database,
  catalog: Catalog,
  { comparesIndexes = true }: CheckOptions = {},
): string[] {
  const [check] = iterateRows<{ integrity_check: string }>(database.statement('PRAGMA integrity_check'))
  const damage = check?.integrity_check === 'ok' ? [] : [`SQLite: ${check?.integrity_check}`]
  const wrongDocuments = catalog.all().flatMap((collection) => findWrongDocuments(database, collection))
  const wrong = [...findWrongCatalogRows(database), ...wrongDocuments]
  if (!comparesIndexes || wrong.length > 0) return [...damage, ...wrong]
  return [...damage, ...catalog.all().flatMap((collection) => collectionProblems(database, collection))]
}

function collectionProblems(database: Database, collection: Collection): string[] {
  const sql = `SELECT row, body FROM documents_${collection.id}`
  const documents = [...iterateRows<StoredDocument>(database.statement(sql))]
  return collection.indexes.flatMap((index) => indexProblems(database, collection, index, documents))
}

function indexProblems(
  database: Database,
  collection: Collection,
  index: Index,
  documents: StoredDocument[],
): string[] {
  const expected = new Set<string>()
  for (const { row, body } of documents) {
    const { keys, isMultikey } = indexedKeys(index, decode(body))
    for (const key of keys) expected.add(entryText({ key, row }))
    if (isMultikey && !index.isMultikey) return [`${collection.name}.${index.name} holds arrays and is not marked so`]
  }
  const found = iterateRows<IndexEntry>(database.statement(`SELECT key, row FROM index_${index.id}`))
  const actual = new Set([...found].map(entryText))
  const missing = [...expected].filter((entry) => !actual.has(entry)).length
  const stale = [...actual].filter((entry) => !expected.has(entry)).length
  if (missing === 0 && stale === 0) return []
  return [`${collection.name}.${index.name}: ${missing} entries are missing, ${stale} have no document`]
}

function entryText({ key, row }: IndexEntry): string {
  return `${Buffer.from(key).toString('latin1')}\0${row}`
}
