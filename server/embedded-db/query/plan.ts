import { BSONRegExp } from 'bson'
import { allKeys, fieldRange, indexableConditions, prefixRange, type Condition } from './bounds.ts'
import type { Collection, Index } from '../storage/catalog.ts'
import { badValue } from '../errors.ts'
import { encodeKey, sortFields, type KeyField } from '../storage/index-keys.ts'
import { compileFilter } from './match.ts'
import type { KeyRange } from '../storage/scans.ts'
import { equalValues, isContainer, isDocument, isOperatorDocument, type Document } from '../bson/values.ts'

/*
 * A plan only narrows: its candidates are a superset of the matching documents, and the matcher checks every one.
 */

export type Plan = ScanPlan | IndexPlan | UnionPlan

interface ScanPlan {
  kind: 'scan'
}

export interface IndexPlan {
  kind: 'index'
  index: Index
  ranges: KeyRange[]
  /** Whether the index returns the documents in sort order. */
  isSorted: boolean
  isReverse: boolean
}

/** The union over the branches of an `$or`. */
interface UnionPlan {
  kind: 'union'
  branches: IndexPlan[]
}

export interface PlanRequest {
  filter: Document
  sort?: Document | undefined
  hint?: unknown
}

const maxRanges = 2000
const usefulScore = 5

/** Chooses a plan by the conditions of the filter, not by statistics: equality first, then a range, then the sort order. */
export function planQuery(collection: Collection, request: PlanRequest): Plan {
  const { filter, hint } = request
  if (isDocument(hint) && '$natural' in hint) return { kind: 'scan' }
  const conditions = indexableConditions(filter)
  const sort = request.sort && Object.keys(request.sort).length > 0 ? sortFields(request.sort) : undefined
  let best: { plan: IndexPlan; score: number } | undefined
  for (const index of collection.indexes) {
    if (hint !== undefined && !isHinted(index, hint)) continue
    const candidate = indexPlan(index, { filter, conditions, sort, isHinted: hint !== undefined })
    if (candidate && (!best || candidate.score > best.score)) best = candidate
  }
  if (best && (best.score >= usefulScore || hint !== undefined)) return best.plan
  if (hint !== undefined) {
    throw badValue('planner returned error :: caused by :: hint provided does not correspond to an existing index')
  }
  return unionPlan(collection, filter) ?? best?.plan ?? { kind: 'scan' }
}

function isHinted(index: Index, hint: unknown): boolean {
  return typeof hint === 'string' ? hint === index.name : equalValues(hint, index.key)
}

function unionPlan(collection: Collection, filter: Document): UnionPlan | undefined {
  if (!Array.isArray(filter.$or)) return undefined
  const branches: IndexPlan[] = []
  for (const branch of filter.$or) {
    const plan = isDocument(branch) ? planQuery(collection, { filter: branch }) : undefined
    if (plan?.kind !== 'index' || plan.ranges.some((range) => range.from.length === 0)) return undefined
    branches.push(plan)
  }
  return { kind: 'union', branches }
}

interface IndexRequest {
  filter: Document
  conditions: Map<string, Condition>
  sort: KeyField[] | undefined
  isHinted: boolean
}

function indexPlan(index: Index, request: IndexRequest): { plan: IndexPlan; score: number } | undefined {
  const { conditions, isHinted } = request
  if (!isHinted && !coversPart(index, request)) return undefined
  const bounds = indexBounds(index, conditions)
  if (index.isSparse && !bounds.excludesMissing && !isHinted) return undefined
  const direction = sortDirection(index, bounds, request.sort)
  const isComplete = !index.isSparse && !index.partialFilter
  const isBounded = bounds.equalFields > 0 || bounds.isRange
  if (!isBounded && !(direction !== 0 && isComplete) && !isHinted) return undefined
  const isExact = index.isUnique && bounds.equalFields === index.fields.length
  const score = bounds.equalFields * 10 + (bounds.isRange ? 5 : 0) + (direction !== 0 ? 3 : 0) + (isExact ? 20 : 0)
  return {
    score,
    plan: { kind: 'index', index, ranges: bounds.ranges, isSorted: direction !== 0, isReverse: direction < 0 },
  }
}

interface IndexBounds {
  ranges: KeyRange[]
  /** Leading fields fixed to single values or lists of them. */
  equalFields: number
  prefixes: number
  isRange: boolean
  /** Whether no document without the indexed fields can match, so that a sparse index contains all matches. */
  excludesMissing: boolean
}

function indexBounds(index: Index, conditions: Map<string, Condition>): IndexBounds {
  let prefixes: Buffer[] = [Buffer.alloc(0)]
  let equalFields = 0
  let excludesMissing = false
  for (const field of index.fields) {
    const condition = conditions.get(field.path)
    const { anyOf } = condition ?? {}
    if (anyOf && prefixes.length * anyOf.length <= maxRanges) {
      const parts = anyOf.map((value) => encodeKey(value, field))
      prefixes = prefixes.flatMap((prefix) => parts.map((part) => Buffer.concat([prefix, part])))
      if (anyOf.every((value) => value !== null && value !== undefined)) excludesMissing = true
      equalFields++
      continue
    }
    if (condition?.lower || condition?.upper) {
      const range = fieldRange(field, condition, index)
      const ranges = prefixes.map((prefix) => joinRange(prefix, range))
      return { ranges, equalFields, prefixes: prefixes.length, isRange: true, excludesMissing: true }
    }
    break
  }
  const ranges = equalFields > 0 ? prefixes.map(prefixRange) : [allKeys]
  return { ranges, equalFields, prefixes: prefixes.length, isRange: false, excludesMissing }
}

function joinRange(prefix: Buffer, { from, to }: KeyRange): KeyRange {
  return { from: Buffer.concat([prefix, from]), to: to && Buffer.concat([prefix, to]) }
}

/** Returns 1 or -1 if walking the index forwards or backwards yields the sort order, otherwise 0. */
function sortDirection(index: Index, bounds: IndexBounds, sort: KeyField[] | undefined): -1 | 0 | 1 {
  if (!sort || index.isMultikey || bounds.prefixes !== 1) return 0
  for (const offset of [bounds.equalFields, 0]) {
    const fields = index.fields.slice(offset, offset + sort.length)
    if (fields.length !== sort.length || !fields.every((field, i) => field.path === sort[i]?.path)) continue
    if (fields.every((field, i) => field.isDescending === sort[i]?.isDescending)) return 1
    if (fields.every((field, i) => field.isDescending !== sort[i]?.isDescending)) return -1
  }
  return 0
}

/** Returns whether every document that the filter matches is in the index. */
function coversPart({ partialFilter }: Index, { filter, conditions }: IndexRequest): boolean {
  if (!partialFilter) return true
  return Object.entries(partialFilter).every(([path, required]) => {
    if (path in filter && equalValues(filter[path], required)) return true
    return impliesPart(required, conditions.get(path)?.anyOf)
  })
}

const monotoneOperators = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$type', '$exists'])

/** Returns whether all of these values meet a condition, so that a document with one of them meets it too. */
function impliesPart(required: unknown, anyOf: unknown[] | undefined): boolean {
  if (!anyOf || anyOf.some((value) => value === null || value === undefined)) return false
  if (isOperatorDocument(required)) {
    if (!Object.keys(required).every((operator) => monotoneOperators.has(operator))) return false
  } else if (isContainer(required) || required instanceof BSONRegExp) {
    return false
  }
  const test = compileFilter({ value: required }, {})
  return anyOf.every((value) => test({ value }))
}

/** Describes the plan as MongoDB's explain does. */
export function describePlan(plan: Plan): Document {
  switch (plan.kind) {
    case 'scan':
      return { stage: 'COLLSCAN' }
    case 'union':
      return { stage: 'FETCH', inputStage: { stage: 'OR', inputStages: plan.branches.map(describeIndexScan) } }
    case 'index':
      return { stage: 'FETCH', inputStage: describeIndexScan(plan) }
  }
}

function describeIndexScan({ index, ranges, isSorted, isReverse }: IndexPlan): Document {
  const isWhole = ranges.some((range) => range.from.length === 0)
  return {
    stage: 'IXSCAN',
    indexName: index.name,
    keyPattern: index.key,
    isMultiKey: index.isMultikey,
    direction: isReverse ? 'backward' : 'forward',
    isSorted,
    isWholeIndex: isWhole,
  }
}
