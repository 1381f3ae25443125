import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { decode } from '../bson/bson-codec.ts'
import type { Document } from '../bson/values.ts'
import { checksumOf } from './checksums.ts'
import { iterateRows } from './database.ts'
import { encodeKey } from './index-keys.ts'

/** A document as stored in a data file. */
export interface CheckedDocument {
  /** BSON, unless it is damaged. */
  body: Uint8Array
  /** Set if the document does not match its checksum: its row, and its id if that can be trusted. */
  damage?: { row: number; id: string | undefined }
}

export interface StoredCollection {
  name: string
  /** Specifications as listIndexes returns them. */
  indexes: Document[]
  /** The number of documents. */
  count: number
  /** The documents as BSON, in the order in which they were inserted. */
  documents(): Iterable<Uint8Array>
  /** The same documents, each compared with its checksum. */
  checkedDocuments(): Iterable<CheckedDocument>
}

export interface DataFile {
  /** Returns the collections of one database, by name. */
  collections(database: string): StoredCollection[]
  close(): void
}

interface StoredRow {
  row: number
  body: Uint8Array
  /** Null if the document was written without a checksum. */
  crc: number | null
}

/**
 * Opens a data file that no process writes to, such as a snapshot, without the engine. No other files are created next to it, and it may
 * be deleted while open.
 *
 * @throws Error when the file is damaged
 */
export function openDataFile(path: string): DataFile {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  const sqlite = new DatabaseSync(url, { readOnly: true })
  try {
    const found = [...iterateRows<{ quick_check: string }>(sqlite.prepare('PRAGMA quick_check(1)'))]
    const damage = found.find((row) => row.quick_check !== 'ok')
    if (damage) throw new Error(`The database is damaged: ${damage.quick_check}`)
  } catch (error) {
    sqlite.close()
    throw error
  }

  function readCollection({ id, name }: { id: number; name: string }): StoredCollection {
    const listed = sqlite.prepare('SELECT id, specification FROM indexes WHERE collection = ? ORDER BY id')
    const rows = [...iterateRows<{ id: number; specification: Uint8Array }>(listed, id)]
    const indexes = rows.map(({ specification }) => decode(specification))
    const [counted] = iterateRows<{ n: number }>(sqlite.prepare(`SELECT count(*) n FROM documents_${id}`))
    const idIndex = rows[indexes.findIndex((index) => index.name === '_id_')]?.id
    return {
      name,
      indexes,
      count: counted?.n ?? 0,
      *documents() {
        const bodies = sqlite.prepare(`SELECT body FROM documents_${id} ORDER BY row`)
        for (const { body } of iterateRows<{ body: Uint8Array }>(bodies)) yield body
      },
      *checkedDocuments() {
        const crc = hasColumn(`documents_${id}`, 'crc') ? 'crc' : 'NULL AS crc'
        const stored = sqlite.prepare(`SELECT row, body, ${crc} FROM documents_${id} ORDER BY row`)
        for (const { row, body, crc } of iterateRows<StoredRow>(stored)) {
          if (crc === null || checksumOf(body) === crc) yield { body }
          else yield { body, damage: { row, id: readTrustedId(body, (key) => isFoundBy(idIndex, { key, row })) } }
        }
      },
    }
  }

  function isFoundBy(index: number | undefined, { key, row }: { key: Uint8Array; row: number }): boolean {
    if (index === undefined) return false
    return sqlite.prepare(`SELECT 1 FROM index_${index} WHERE key = ? AND row = ?`).get(key, row) !== undefined
  }

  function hasColumn(table: string, column: string): boolean {
    return sqlite.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined
  }

  return {
    collections(database) {
      const sql = 'SELECT id, name FROM collections WHERE database = ? ORDER BY name'
      return [...iterateRows<{ id: number; name: string }>(sqlite.prepare(sql), database)].map(readCollection)
    },
    close: () => sqlite.close(),
  }
}

/**
 * Returns the id of a document with a wrong checksum, as text; undefined if it cannot be decoded, or if it is not the id under which the
 * document is indexed (`hasKey`): the damage may be in the id, which may now be that of another document.
 */
function readTrustedId(body: Uint8Array, hasKey: (key: Uint8Array) => boolean): string | undefined {
  const { byteLength } = body
  if (byteLength < 5 || new DataView(body.buffer, body.byteOffset, byteLength).getInt32(0, true) !== byteLength)
    return undefined
  try {
    const { _id: id } = decode(body)
    return hasKey(encodeKey(id)) ? String(id) : undefined
  } catch {
    return undefined
  }
}
