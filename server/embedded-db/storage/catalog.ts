import { randomUUID } from 'node:crypto'
import { decode, encode } from '../bson/bson-codec.ts'
import { addCatalogChecksums, addCatalogColumns } from './catalog-checksums.ts'
import { addChecksumColumn, createDocuments, readCheckedIds } from './checksums.ts'
import { iterateRows, type Database } from './database.ts'
import { CommandError } from '../errors.ts'
import { keyFields, type KeyField } from './index-keys.ts'
import { compileFilter, type Predicate } from '../query/match.ts'
import { isDocument, isNumber, toNumeric, type Document } from '../bson/values.ts'

export interface Index {
  id: number
  name: string
  /** The specification given to createIndexes, for listIndexes. */
  specification: Document
  key: Document
  fields: KeyField[]
  isUnique: boolean
  isSparse: boolean
  partialFilter: Document | undefined
  isInPart: Predicate | undefined
  expireAfterSeconds: number | undefined
  /** Whether some document has several keys in the index, which can then neither sort nor use both bounds of a range. */
  isMultikey: boolean
}

export interface Collection {
  id: number
  database: string
  name: string
  uuid: string
  /** Whether documents are stored with checksums; false only if a full disk prevented the upgrade of a table from an earlier version. */
  hasChecksums: boolean
  indexes: Index[]
}

/** Collections and indexes: cached in memory, stored in the file, reread after a rollback. */
export interface Catalog {
  find(database: string, name: string): Collection | undefined
  /** Returns the collection, creating it if missing. @throws InvalidNamespace */
  ensure(database: string, name: string): Collection
  all(): Collection[]
  drop(collection: Collection): void
  addIndex(collection: Collection, specification: Document): Index
  dropIndex(collection: Collection, index: Index): void
  markMultikey(index: Index): void
  reload(): void
}

export const idIndex: Document = { v: 2, key: { _id: 1 }, name: '_id_' }

/** The version of the tables in the data file. */
const fileFormat = 1

const createSchema = `
  CREATE TABLE IF NOT EXISTS collections (
    id INTEGER PRIMARY KEY, database TEXT NOT NULL, name TEXT NOT NULL, uuid TEXT NOT NULL, UNIQUE (database, name));
  CREATE TABLE IF NOT EXISTS indexes (
    id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, specification BLOB NOT NULL, multikey INTEGER NOT NULL)`

export function openCatalog(database: Database): Catalog {
  const collections = new Map<string, Collection>()
  // Written only for new files, so that a file can be opened on a full disk.
  if (readFormat(database) < fileFormat) database.execute(`${createSchema}; PRAGMA user_version = ${fileFormat}`)

  function reload(): void {
    collections.clear()
    const checked = readCheckedIds(database)
    const rows = iterateRows<CollectionRow>(database.statement('SELECT id, database, name, uuid FROM collections'))
    for (const row of rows)
      collections.set(`${row.database}.${row.name}`, {
        ...row,
        hasChecksums: checked.has(row.id),
        indexes: readIndexes(row.id),
      })
  }

  function readIndexes(collection: number): Index[] {
    const sql = 'SELECT id, specification, multikey FROM indexes WHERE collection = ? ORDER BY id'
    const rows = iterateRows<IndexRow>(database.statement(sql), collection)
    return [...rows].map((row) => makeIndex(row.id, decode(row.specification), row.multikey === 1))
  }

  function ensure(databaseName: string, name: string): Collection {
    const existing = collections.get(`${databaseName}.${name}`)
    if (existing) return existing
    requireName(databaseName, name)
    database.begin()
    const uuid = randomUUID()
    const insert = database.statement('INSERT INTO collections (database, name, uuid) VALUES (?, ?, ?)')
    const id = Number(insert.run(databaseName, name, uuid).lastInsertRowid)
    createDocuments(database, id)
    const collection: Collection = { id, database: databaseName, name, uuid, hasChecksums: true, indexes: [] }
    collections.set(`${databaseName}.${name}`, collection)
    addIndex(collection, idIndex)
    return collection
  }

  function addIndex(collection: Collection, specification: Document): Index {
    database.begin()
    const insert = database.statement('INSERT INTO indexes (collection, specification, multikey) VALUES (?, ?, 0)')
    const id = Number(insert.run(collection.id, encode(specification)).lastInsertRowid)
    database.execute(`CREATE TABLE index_${id} (key BLOB, row INTEGER, PRIMARY KEY (key, row)) WITHOUT ROWID`)
    addCatalogChecksums(database)
    const index = makeIndex(id, specification, false)
    collection.indexes.push(index)
    return index
  }

  function dropIndex(collection: Collection, index: Index): void {
    database.begin()
    database.forgetTable(`index_${index.id}`)
    database.execute(`DROP TABLE index_${index.id}`)
    database.statement('DELETE FROM indexes WHERE id = ?').run(index.id)
    collection.indexes = collection.indexes.filter((other) => other !== index)
  }

  addCatalogColumns(database)
  reload()
  const unchecked = [...collections.values()].filter(({ hasChecksums }) => !hasChecksums)
  for (const { id } of unchecked) addChecksumColumn(database, id)
  if (unchecked.length > 0) reload()
  return {
    find: (databaseName, name) => collections.get(`${databaseName}.${name}`),
    ensure,
    all: () => [...collections.values()],
    drop(collection) {
      for (const index of collection.indexes) dropIndex(collection, index)
      database.begin()
      database.forgetTable(`documents_${collection.id}`)
      database.execute(`DROP TABLE documents_${collection.id}`)
      database.statement('DELETE FROM collections WHERE id = ?').run(collection.id)
      collections.delete(`${collection.database}.${collection.name}`)
    },
    addIndex,
    dropIndex,
    markMultikey(index) {
      if (index.isMultikey) return
      index.isMultikey = true
      database.statement('UPDATE indexes SET multikey = 1 WHERE id = ?').run(index.id)
    },
    reload,
  }
}

/** Returns the version of the file; zero for a new one. @throws Error for a newer version */
function readFormat(database: Database): number {
  const [row] = iterateRows<{ user_version: number }>(database.statement('PRAGMA user_version'))
  const format = row?.user_version ?? 0
  if (format <= fileFormat) return format
  throw new Error(`the data file is of a newer version of Awaz (format ${format}, this one knows ${fileFormat})`)
}

interface CollectionRow {
  id: number
  database: string
  name: string
  uuid: string
}

interface IndexRow {
  id: number
  specification: Uint8Array
  multikey: number
}

function requireName(database: string, name: string): void {
  const isValid = name !== '' && !/[\0$]/.test(name) && !name.startsWith('.') && !name.endsWith('.')
  if (!isValid) throw new CommandError('InvalidNamespace', `Invalid namespace specified '${database}.${name}'`)
}

function makeIndex(id: number, specification: Document, isMultikey: boolean): Index {
  const { key, name, unique, sparse, partialFilterExpression: partial, expireAfterSeconds: expiry } = specification
  const partialFilter = isDocument(partial) ? partial : undefined
  const keyDocument = isDocument(key) ? key : {}
  return {
    id,
    name: String(name),
    specification,
    key: keyDocument,
    fields: keyFields(keyDocument),
    isUnique: unique === true || name === '_id_',
    isSparse: sparse === true,
    partialFilter,
    isInPart: partialFilter && compileFilter(partialFilter, {}),
    expireAfterSeconds: isNumber(expiry) ? Number(toNumeric(expiry)) : undefined,
    isMultikey,
  }
}
