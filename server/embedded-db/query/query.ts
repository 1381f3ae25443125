import type { Collection } from '../storage/catalog.ts'
import { CommandError } from '../errors.ts'
import type { Variables } from './expression.ts'
import { sortFields, sortKey } from '../storage/index-keys.ts'
import { compileFilter } from './match.ts'
import { planQuery, type IndexPlan, type Plan } from './plan.ts'
import type { FoundDocument, Store } from '../storage/store.ts'
import type { StoredDocument } from '../storage/scans.ts'
import { decodeStored } from '../storage/stored-document.ts'
import type { Steps } from '../steps.ts'
import { isNumber, toNumeric, type Document } from '../bson/values.ts'

export interface Query {
  filter: Document
  sort?: Document | undefined
  skip?: number
  /** Zero or missing for no limit. */
  limit?: number
  hint?: unknown
  variables: Variables
  /** Deadline of the query, in milliseconds since the epoch. */
  deadline?: number | undefined
}

/** The number of documents after which the query may be suspended and its deadline is checked. */
const rowsPerStep = 16
/** The maximum size of the bodies of a result in memory; further bodies are reread when needed. */
const maxKeptBytes = 4 * 1024 * 1024

/**
 * Finds the matching documents in order. All are found before the first is returned, so callers may change them; after a pause, some may
 * have been changed or removed.
 */
export function* findInSteps(store: Store, collection: Collection, query: Query): Steps<FoundDocument[]> {
  const natural = naturalOrder(query.sort)
  if (natural) return yield* inNaturalOrder(store, collection, query, natural)
  const plan = planQuery(collection, query)
  const { skip = 0, limit = 0 } = query
  const end = limit > 0 ? skip + limit : Number.POSITIVE_INFINITY
  const sort = query.sort && Object.keys(query.sort).length > 0 ? query.sort : undefined
  const isSorted = !sort || (plan.kind === 'index' && plan.isSorted)
  const fields = isSorted ? [] : sortFields(sort)
  const matches = compileFilter(query.filter, query.variables)
  const found: (FoundDocument & { key?: Buffer })[] = []
  const keep = createKeeper()
  let examined = 0
  for (const stored of candidates(store, collection, plan)) {
    if (++examined % rowsPerStep === 0) {
      requireTime(query.deadline)
      yield
    }
    const document = decodeStored(stored.body)
    if (!matches(document)) continue
    found.push(isSorted ? keep(stored) : { ...keep(stored), key: sortKey(document, fields) })
    if (isSorted && found.length >= end) break
  }
  if (!isSorted) found.sort((a, b) => compareKeys(a.key, b.key) || a.row - b.row)
  return found.slice(skip, end)
}

function compareKeys(a: Buffer | undefined, b: Buffer | undefined): number {
  return a && b ? Buffer.compare(a, b) : 0
}

/** Keeps bodies with their rows as long as their total size is small. */
function createKeeper(): (stored: StoredDocument) => FoundDocument {
  let keptBytes = 0
  return ({ row, body }) => {
    keptBytes += body.length
    return keptBytes <= maxKeptBytes || keptBytes === body.length ? { row, body } : { row }
  }
}

/** Finds documents in a collection that may not exist; refuses an invalid query either way. */
export function* findInCollection(
  store: Store,
  collection: Collection | undefined,
  query: Query,
): Steps<FoundDocument[]> {
  if (collection) return yield* findInSteps(store, collection, query)
  compileFilter(query.filter, query.variables)
  if (query.sort && !naturalOrder(query.sort)) sortFields(query.sort)
  return []
}

function requireTime(deadline: number | undefined): void {
  if (deadline !== undefined && performance.now() > deadline) {
    throw new CommandError('MaxTimeMSExpired', 'operation exceeded time limit')
  }
}

function* candidates(store: Store, collection: Collection, plan: Plan): Generator<StoredDocument> {
  if (plan.kind === 'scan') {
    yield* store.scan(collection)
    return
  }
  const branches = plan.kind === 'union' ? plan.branches : [plan]
  const mayRepeat = branches.length > 1 || branches.some(({ index, ranges }) => index.isMultikey || ranges.length > 1)
  const seen = new Set<number>()
  for (const stored of branches
    .flatMap((branch) => ranges(branch))
    .values()
    .flatMap(scanRange)) {
    if (mayRepeat && seen.has(stored.row)) continue
    if (mayRepeat) seen.add(stored.row)
    yield stored
  }

  function ranges(branch: IndexPlan) {
    return branch.ranges.map((range) => ({ branch, range }))
  }

  function scanRange({ branch, range }: ReturnType<typeof ranges>[number]) {
    return store.scanIndex(collection, branch.index, range, branch)
  }
}

function naturalOrder(sort: Document | undefined): number | undefined {
  const direction = sort?.$natural
  return isNumber(direction) ? Number(toNumeric(direction)) : undefined
}

function* inNaturalOrder(
  store: Store,
  collection: Collection,
  query: Query,
  direction: number,
): Steps<FoundDocument[]> {
  const { skip = 0, limit = 0 } = query
  const found = yield* findInSteps(store, collection, { ...query, sort: undefined, skip: 0, limit: 0 })
  found.sort((a, b) => (a.row - b.row) * Math.sign(direction))
  return found.slice(skip, limit > 0 ? skip + limit : undefined)
}
