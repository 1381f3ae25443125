import type { Collection, Index } from './catalog.ts'
import { fieldRange } from '../query/bounds.ts'
import type { Steps } from '../steps.ts'
import type { Store } from './store.ts'
import type { StoredDocument } from './scans.ts'

/** Removes documents expired by TTL indexes: dates at or before now minus `expireAfterSeconds`. Returns their number. */
export function* sweepExpired(store: Store, nowMs: number): Steps<number> {
  let removed = 0
  for (const collection of store.catalog.all()) {
    for (const index of collection.indexes) removed += yield* sweepIndex(store, collection, index, nowMs)
  }
  return removed
}

/** The number of expired documents looked up at a time. */
const batchSize = 256

function* sweepIndex(store: Store, { database, name }: Collection, { id }: Index, nowMs: number): Steps<number> {
  let removed = 0
  for (;;) {
    // Looked up each time, because another command may have dropped it during a pause.
    const collection = store.catalog.find(database, name)
    const index = collection?.indexes.find((candidate) => candidate.id === id)
    const expired = collection && index ? expiredDocuments(store, collection, index, nowMs) : []
    if (!collection || expired.length === 0) return removed
    for (const stored of expired) store.remove(collection, stored)
    removed += expired.length
    yield
  }
}

function expiredDocuments(store: Store, collection: Collection, index: Index, nowMs: number): StoredDocument[] {
  const [field] = index.fields
  if (index.expireAfterSeconds === undefined || !field) return []
  const limit = new Date(nowMs - index.expireAfterSeconds * 1000)
  const range = fieldRange(field, { upper: { value: limit, isInclusive: true } }, index)
  const byRow = new Map<number, StoredDocument>()
  for (const stored of store.scanIndex(collection, index, range, { isReverse: false })) {
    byRow.set(stored.row, stored)
    if (byRow.size >= batchSize) break
  }
  return [...byRow.values()]
}
