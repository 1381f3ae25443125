import { BSONRegExp, MaxKey, MinKey } from 'bson'
import { after, encodeKey, invert, type KeyField } from '../storage/index-keys.ts'
import type { KeyRange } from '../storage/scans.ts'
import { isContainer, isDocument, isOperatorDocument, typeOrder, type Document } from '../bson/values.ts'

/** The condition of a filter on one path, as far as an index can use it. */
export interface Condition {
  /** The path equals one of these scalars. */
  anyOf?: unknown[]
  lower?: Bound
  upper?: Bound
}

interface Bound {
  value: unknown
  isInclusive: boolean
}

/** Returns conditions that every matching document meets, by path. The matcher checks all others. */
export function indexableConditions(filter: Document): Map<string, Condition> {
  const conditions = new Map<string, Condition>()
  collect(filter, conditions)
  return conditions
}

function collect(filter: Document, conditions: Map<string, Condition>): void {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(value)) {
      for (const branch of value) if (isDocument(branch)) collect(branch, conditions)
    } else if (!key.startsWith('$')) {
      const condition = conditions.get(key) ?? {}
      addCondition(condition, value)
      if (condition.anyOf || condition.lower || condition.upper) conditions.set(key, condition)
    }
  }
}

function addCondition(condition: Condition, value: unknown): void {
  if (isOperatorDocument(value))
    for (const [operator, argument] of Object.entries(value)) addOperator(condition, operator, argument)
  else if (isScalar(value)) condition.anyOf ??= [value]
}

function addOperator(condition: Condition, operator: string, argument: unknown): void {
  if (operator === '$in' && Array.isArray(argument) && argument.every(isScalar)) condition.anyOf ??= argument
  if (!isScalar(argument)) return
  if (operator === '$eq') condition.anyOf ??= [argument]
  if (!isRangeable(argument)) return
  if (operator === '$gt' || operator === '$gte')
    condition.lower ??= { value: argument, isInclusive: operator === '$gte' }
  if (operator === '$lt' || operator === '$lte')
    condition.upper ??= { value: argument, isInclusive: operator === '$lte' }
}

/** Containers and regular expressions match in ways that a single key range does not cover. */
function isScalar(value: unknown): boolean {
  return !isContainer(value) && !(value instanceof BSONRegExp)
}

function isRangeable(value: unknown): boolean {
  return value !== null && value !== undefined && !(value instanceof MinKey) && !(value instanceof MaxKey)
}

/**
 * Returns the part of an index's keys that a range on one field covers, always within one type. In a descending field, the order of
 * the edges is reversed: keys at or above `from` are those before everything that follows the inverted `from`.
 */
export function fieldRange(field: KeyField, condition: Condition, { isMultikey }: { isMultikey: boolean }): KeyRange {
  const { upper } = condition
  // With several keys per document, each bound may be met by a different key, so only one bound can be used.
  const lower = isMultikey && upper ? undefined : condition.lower
  const type = typeOrder((lower ?? upper)?.value)
  const from = lower ? edge(lower, { isAfter: !lower.isInclusive }) : Buffer.from([type])
  const to = upper ? edge(upper, { isAfter: upper.isInclusive }) : Buffer.from([type + 1])
  return field.isDescending ? { from: after(invert(to)), to: after(invert(from)) } : { from, to }
}

function edge({ value }: Bound, { isAfter }: { isAfter: boolean }): Buffer {
  const key = encodeKey(value)
  return isAfter ? after(key) : key
}

/** Returns the range of keys with this prefix. */
export function prefixRange(prefix: Buffer): KeyRange {
  return { from: prefix, to: prefix.length === 0 ? undefined : after(prefix) }
}

/** Every key of an index. */
export const allKeys: KeyRange = { from: Buffer.alloc(0), to: undefined }
