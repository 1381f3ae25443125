import { decode, encode, maxDocumentBytes } from '../bson/bson-codec.ts'
import type { Catalog, Collection, Index } from './catalog.ts'
import { checksumOf } from './checksums.ts'
import { iterateRows, type Database } from './database.ts'
import { CommandError } from '../errors.ts'
import { createScans, type DocumentScans, type StoredDocument } from './scans.ts'
import { documentKeys } from './index-keys.ts'
import { decodeStored } from './stored-document.ts'
import { plainValue } from '../query/paths.ts'
import { BSONRegExp } from 'bson'
import { isOperatorDocument, showValue, type Document } from '../bson/values.ts'

/** The position of a document, with its body if it is small. */
export interface FoundDocument {
  row: number
  body?: Uint8Array
}

/** Documents and their index entries; every change keeps the two consistent. */
export interface Store extends DocumentScans {
  readonly catalog: Catalog
  /** Path of the data file. */
  readonly file: string
  insert(collection: Collection, document: Document): void
  replace(collection: Collection, stored: StoredDocument, body: Uint8Array): void
  remove(collection: Collection, stored: StoredDocument): void
  /** Creates and fills an index. @throws DuplicateKey, in which case no index is left. */
  createIndex(collection: Collection, specification: Document): void
  count(collection: Collection): number
  /** Returns the current document; undefined when it was removed. */
  read(collection: Collection, row: number): StoredDocument | undefined
}

interface IndexKeys {
  index: Index
  keys: Buffer[]
}

export function openStore(database: Database, catalog: Catalog): Store {
  const scans = createScans(database)

  function keysOf(index: Index, document: Document): Buffer[] {
    const { keys, isMultikey } = indexedKeys(index, document)
    if (isMultikey) catalog.markMultikey(index)
    return keys
  }

  /** Called before anything is written, so that a refused document leaves no trace. */
  function requireUnique(collection: Collection, { index, keys }: IndexKeys, row: number, document: Document): void {
    if (!index.isUnique) return
    const find = database.statement(`SELECT 1 FROM index_${index.id} WHERE key = ? AND row <> ? LIMIT 1`)
    for (const key of keys) if (find.get(key, row)) throw duplicateKey(collection, index, document)
  }

  function addKeys({ index, keys }: IndexKeys, row: number): void {
    const insert = database.statement(`INSERT INTO index_${index.id} (key, row) VALUES (?, ?)`)
    for (const key of keys) insert.run(key, row)
  }

  function removeKeys({ index, keys }: IndexKeys, row: number): void {
    const remove = database.statement(`DELETE FROM index_${index.id} WHERE key = ? AND row = ?`)
    for (const key of keys) remove.run(key, row)
  }

  function insertBody({ id, hasChecksums }: Collection, body: Uint8Array): number {
    const { lastInsertRowid } = hasChecksums
      ? database.statement(`INSERT INTO documents_${id} (body, crc) VALUES (?, ?)`).run(body, checksumOf(body))
      : database.statement(`INSERT INTO documents_${id} (body) VALUES (?)`).run(body)
    return Number(lastInsertRowid)
  }

  function updateBody({ id, hasChecksums }: Collection, row: number, body: Uint8Array): void {
    if (!hasChecksums) database.statement(`UPDATE documents_${id} SET body = ? WHERE row = ?`).run(body, row)
    else
      database.statement(`UPDATE documents_${id} SET body = ?, crc = ? WHERE row = ?`).run(body, checksumOf(body), row)
  }

  return {
    catalog,
    file: database.file,
    insert(collection, document) {
      requireStorableId(document._id)
      const body = encode(document)
      requireSize(body)
      database.begin()
      const entries = collection.indexes.map((index) => ({ index, keys: keysOf(index, document) }))
      for (const entry of entries) requireUnique(collection, entry, -1, document)
      const row = insertBody(collection, body)
      for (const entry of entries) addKeys(entry, row)
    },
    replace(collection, { row, body: oldBody }, body) {
      requireSize(body)
      database.begin()
      const [before, after] = [decodeStored(oldBody), decode(body)]
      const changes = collection.indexes.map((index) => difference(index, keysOf(index, before), keysOf(index, after)))
      for (const { index, added } of changes) requireUnique(collection, { index, keys: added }, row, after)
      updateBody(collection, row, body)
      for (const { index, removed, added } of changes) {
        removeKeys({ index, keys: removed }, row)
        addKeys({ index, keys: added }, row)
      }
    },
    remove(collection, { row, body }) {
      database.begin()
      const document = decodeStored(body)
      for (const index of collection.indexes) removeKeys({ index, keys: keysOf(index, document) }, row)
      database.statement(`DELETE FROM documents_${collection.id} WHERE row = ?`).run(row)
    },
    createIndex(collection, specification) {
      const index = catalog.addIndex(collection, specification)
      for (const { row, body } of this.scan(collection)) {
        const document = decodeStored(body)
        const entry = { index, keys: keysOf(index, document) }
        requireUnique(collection, entry, row, document)
        addKeys(entry, row)
      }
    },
    count(collection) {
      const [first] = iterateRows<{ n: number }>(
        database.statement(`SELECT count(*) n FROM documents_${collection.id}`),
      )
      return first?.n ?? 0
    },
    read(collection, row) {
      const sql = `SELECT row, body FROM documents_${collection.id} WHERE row = ?`
      const [stored] = iterateRows<StoredDocument>(database.statement(sql), row)
      return stored
    },
    ...scans,
  }
}

/** Returns the keys of a document in an index, according to the index's options. */
export function indexedKeys(index: Index, document: Document): { keys: Buffer[]; isMultikey: boolean } {
  if (index.isInPart && !index.isInPart(document)) return { keys: [], isMultikey: false }
  const { keys, isMultikey, isMissing } = documentKeys(document, index.fields)
  return index.isSparse && isMissing ? { keys: [], isMultikey: false } : { keys, isMultikey }
}

function difference(
  index: Index,
  before: Buffer[],
  after: Buffer[],
): { index: Index; removed: Buffer[]; added: Buffer[] } {
  const missingIn = (others: Buffer[]) => (key: Buffer) => !others.some((other) => other.equals(key))
  return { index, removed: before.filter(missingIn(after)), added: after.filter(missingIn(before)) }
}

function requireSize(body: Uint8Array): void {
  if (body.length <= maxDocumentBytes) return
  throw new CommandError('BSONObjectTooLarge', `BSONObj size: ${body.length} is more than ${maxDocumentBytes}`)
}

function requireStorableId(id: unknown): void {
  if (Array.isArray(id)) throw new CommandError('InvalidIdField', "The '_id' value cannot be of type array")
  if (id instanceof BSONRegExp) throw new CommandError('InvalidIdField', "The '_id' value cannot be of type regex")
  if (isOperatorDocument(id)) {
    const message = `_id fields may not contain '$'-prefixed fields: ${Object.keys(id)[0]} is not valid for storage.`
    throw new CommandError('DollarPrefixedFieldName', message)
  }
}

function duplicateKey(collection: Collection, index: Index, document: Document): CommandError {
  const keyValue = Object.fromEntries(
    index.fields.map(({ path, parts }) => [path, plainValue(document, parts) ?? null]),
  )
  const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${showValue(value)}`)
  const namespace = `${collection.database}.${collection.name}`
  return new CommandError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${namespace} index: ${index.name} dup key: { ${shown.join(', ')} }`,
    { keyPattern: index.key, keyValue },
  )
}
