import type { Collection, Index } from './catalog.ts'
import { fieldRange } from '../query/bounds.ts'
import type { Store } from './store.ts'

/** Removes what TTL indexes have let expire: dates at or before now minus `expireAfterSeconds`. Answers the count. */
export function sweepExpired(store: Store, nowMs: number): number {
  let removed = 0
  for (const collection of store.catalog.all()) {
    for (const index of collection.indexes) removed += sweepIndex(store, collection, index, nowMs)
  }
  return removed
}

function sweepIndex(store: Store, collection: Collection, index: Index, nowMs: number): number {
  const [field] = index.fields
  if (index.expireAfterSeconds === undefined || !field) return 0
  const limit = new Date(nowMs - index.expireAfterSeconds * 1000)
  const range = fieldRange(field, { upper: { value: limit, isInclusive: true } }, index)
  const expired = new Map(
    [...store.scanIndex(collection, index, range, { isReverse: false })].map((stored) => [stored.row, stored]),
  )
  for (const stored of expired.values()) store.remove(collection, stored)
  return expired.size
}
