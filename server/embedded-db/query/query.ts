import { decode } from '../bson/bson-codec.ts'
import type { Collection } from '../storage/catalog.ts'
import { CommandError } from '../errors.ts'
import type { Variables } from './expression.ts'
import { sortFields, sortKey } from '../storage/index-keys.ts'
import { compileFilter } from './match.ts'
import { planQuery, type IndexPlan, type Plan } from './plan.ts'
import type { Store, StoredDocument } from '../storage/store.ts'
import { isNumber, toNumeric, type Document } from '../bson/values.ts'

export interface Query {
  filter: Document
  sort?: Document | undefined
  skip?: number
  /** Zero or missing: all. */
  limit?: number
  hint?: unknown
  variables: Variables
  /** Milliseconds since the epoch, after which the query is given up. */
  deadline?: number | undefined
}

const ROWS_PER_DEADLINE_CHECK = 256

/** The matching documents in order, as stored. All are read before the first is returned, so callers may change them. */
export function findDocuments(store: Store, collection: Collection, query: Query): StoredDocument[] {
  const natural = naturalOrder(query.sort)
  if (natural) return inNaturalOrder(store, collection, query, natural)
  const plan = planQuery(collection, query)
  const { skip = 0, limit = 0 } = query
  const end = limit > 0 ? skip + limit : Number.POSITIVE_INFINITY
  const sort = query.sort && Object.keys(query.sort).length > 0 ? query.sort : undefined
  if (sort && !(plan.kind === 'index' && plan.isSorted))
    return sorted(matching(store, collection, plan, query), sort).slice(skip, end)
  const found: StoredDocument[] = []
  for (const { stored } of matching(store, collection, plan, query)) {
    found.push(stored)
    if (found.length >= end) break
  }
  return skip > 0 ? found.slice(skip) : found
}

/** The matching documents of a collection that may not exist; what is wrong with the query is refused all the same. */
export function findInCollection(store: Store, collection: Collection | undefined, query: Query): StoredDocument[] {
  if (collection) return findDocuments(store, collection, query)
  compileFilter(query.filter, query.variables)
  if (query.sort && !naturalOrder(query.sort)) sortFields(query.sort)
  return []
}

interface Match {
  stored: StoredDocument
  document: Document
}

function* matching(store: Store, collection: Collection, plan: Plan, query: Query): Generator<Match> {
  const matches = compileFilter(query.filter, query.variables)
  let examined = 0
  for (const stored of candidates(store, collection, plan)) {
    if (++examined % ROWS_PER_DEADLINE_CHECK === 0) requireTime(query.deadline)
    const document = decode(stored.body)
    if (matches(document)) yield { stored, document }
  }
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

function sorted(matches: Iterable<Match>, sort: Document): StoredDocument[] {
  const fields = sortFields(sort)
  const keyed = Array.from(matches, ({ stored, document }) => ({ stored, key: sortKey(document, fields) }))
  keyed.sort((a, b) => Buffer.compare(a.key, b.key) || a.stored.row - b.stored.row)
  return keyed.map(({ stored }) => stored)
}

function naturalOrder(sort: Document | undefined): number | undefined {
  const direction = sort?.$natural
  return isNumber(direction) ? Number(toNumeric(direction)) : undefined
}

function inNaturalOrder(store: Store, collection: Collection, query: Query, direction: number): StoredDocument[] {
  const { skip = 0, limit = 0 } = query
  const found = findDocuments(store, collection, { ...query, sort: undefined, skip: 0, limit: 0 })
  found.sort((a, b) => (a.row - b.row) * Math.sign(direction))
  return found.slice(skip, limit > 0 ? skip + limit : undefined)
}
