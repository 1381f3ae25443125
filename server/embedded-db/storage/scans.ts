import type { Collection, Index } from './catalog.ts'
import { iterateRows, type Database } from './database.ts'

/** One stored document, still encoded. */
export interface StoredDocument {
  row: number
  body: Uint8Array
}

/** A half-open range of index keys; without an end, it extends to the last key. */
export interface KeyRange {
  from: Buffer
  to: Buffer | undefined
}

/** Reads the documents of a collection one by one. */
export interface DocumentScans {
  /** Returns all documents, oldest first. If others change the data meanwhile (suspend), scans continue after the last one returned. */
  scan(collection: Collection): IterableIterator<StoredDocument>
  scanIndex(
    collection: Collection,
    index: Index,
    range: KeyRange,
    options: { isReverse: boolean },
  ): IterableIterator<StoredDocument>
  /** Closes the open scans before other commands run; each is reopened when it continues. */
  suspend(): void
}

interface ScannedRow extends StoredDocument {
  /** The key, in an index scan. */
  key?: Uint8Array
}

export function createScans(database: Database): DocumentScans {
  const openScans = new Set<IterableIterator<ScannedRow>>()
  let suspensions = 0

  function* resumable(open: (last?: ScannedRow) => IterableIterator<ScannedRow>): IterableIterator<StoredDocument> {
    let last: ScannedRow | undefined
    let isSuspended = true
    while (isSuspended) {
      const rows = open(last)
      const begunAt = suspensions
      isSuspended = false
      openScans.add(rows)
      try {
        for (const row of rows) {
          last = row
          yield row
          isSuspended = suspensions !== begunAt
          if (isSuspended) break
        }
      } finally {
        openScans.delete(rows)
      }
    }
  }

  return {
    scan({ id }) {
      const sql = `SELECT row, body FROM documents_${id} WHERE row > ? ORDER BY row`
      return resumable((last) => iterateRows<ScannedRow>(database.statement(sql), last?.row ?? -1))
    },
    scanIndex({ id }, index, { from, to }, { isReverse }) {
      const select = `SELECT d.row, d.body, i.key FROM index_${index.id} i CROSS JOIN documents_${id} d ON d.row = i.row`
      const range = `i.key >= ?${to ? ' AND i.key < ?' : ''}`
      const order = isReverse ? 'i.key DESC, i.row DESC' : 'i.key, i.row'
      const bounds = [from, ...(to ? [to] : [])]
      return resumable((last) => {
        const behind = last?.key && ` AND (i.key, i.row) ${isReverse ? '<' : '>'} (?, ?)`
        const sql = `${select} WHERE ${range}${behind ?? ''} ORDER BY ${order}`
        return iterateRows<ScannedRow>(database.statement(sql), ...bounds, ...(last?.key ? [last.key, last.row] : []))
      })
    },
    suspend() {
      suspensions++
      for (const rows of openScans) rows.return?.()
      openScans.clear()
    },
  }
}
