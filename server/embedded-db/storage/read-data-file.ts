import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { decode } from '../bson/bson-codec.ts'
import { iterateRows } from './database.ts'
import type { Document } from '../bson/values.ts'

export interface StoredCollection {
  name: string
  /** Specifications as listIndexes returns them. */
  indexes: Document[]
  /** Number of documents. */
  count: number
  /** The documents as BSON, in the order in which they were inserted. */
  documents(): Iterable<Uint8Array>
}

export interface DataFile {
  /** Collections of one database, by name. */
  collections(database: string): StoredCollection[]
  close(): void
}

/**
 * Opens a data file that no process writes, such as a snapshot, without the engine. Nothing is written beside it, and it may be deleted
 * while it is open.
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
    const specifications = sqlite.prepare('SELECT specification FROM indexes WHERE collection = ? ORDER BY id')
    const rows = iterateRows<{ specification: Uint8Array }>(specifications, id)
    const [counted] = iterateRows<{ n: number }>(sqlite.prepare(`SELECT count(*) n FROM documents_${id}`))
    return {
      name,
      indexes: [...rows].map(({ specification }) => decode(specification)),
      count: counted?.n ?? 0,
      *documents() {
        const bodies = sqlite.prepare(`SELECT body FROM documents_${id} ORDER BY row`)
        for (const { body } of iterateRows<{ body: Uint8Array }>(bodies)) yield body
      },
    }
  }

  return {
    collections(database) {
      const sql = 'SELECT id, name FROM collections WHERE database = ? ORDER BY name'
      return [...iterateRows<{ id: number; name: string }>(sqlite.prepare(sql), database)].map(readCollection)
    },
    close: () => sqlite.close(),
  }
}
