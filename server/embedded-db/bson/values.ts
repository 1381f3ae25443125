import { BSONRegExp, Binary, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson'

/**
 * A decoded BSON document. Numbers are kept exactly: an int32 and a fractional double are JavaScript numbers, a double
 * with an int32's value is `Double`, an int64 is a bigint.
 */
export interface Document {
  [field: string]: unknown
}

/** First byte of an index key, in MongoDB's order of types. */
export const TypeOrder = {
  minKey: 0x01,
  emptyArray: 0x08,
  null: 0x10,
  number: 0x20,
  string: 0x30,
  object: 0x40,
  array: 0x50,
  binary: 0x60,
  objectId: 0x70,
  boolean: 0x80,
  date: 0x90,
  timestamp: 0xa0,
  regex: 0xb0,
  maxKey: 0xfe,
} as const

export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Returns whether the first field of a document is an operator, as in `{ $gt: 1 }`. */
export function isOperatorDocument(value: unknown): value is Document {
  if (!isDocument(value)) return false
  for (const key in value) return key.startsWith('$')
  return false
}

export function isContainer(value: unknown): value is Document | unknown[] {
  return Array.isArray(value) || isDocument(value)
}

export function isNumber(value: unknown): value is number | bigint | Double | Int32 | Long {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Double ||
    value instanceof Int32 ||
    (value instanceof Long && !(value instanceof Timestamp))
  )
}

/** Returns the mathematical value: exact for int64, so that integers above 2^53 stay distinct. */
export function toNumeric(value: number | bigint | Double | Int32 | Long): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return value instanceof Long ? value.toBigInt() : value.valueOf()
}

export function typeOrder(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return TypeOrder.null
    case 'number':
    case 'bigint':
      return TypeOrder.number
    case 'string':
      return TypeOrder.string
    case 'boolean':
      return TypeOrder.boolean
    default:
      return objectTypeOrder(value)
  }
}

function objectTypeOrder(value: unknown): number {
  if (value === null) return TypeOrder.null
  if (isDocument(value)) return TypeOrder.object
  if (Array.isArray(value)) return TypeOrder.array
  if (value instanceof Date) return TypeOrder.date
  if (value instanceof ObjectId) return TypeOrder.objectId
  if (value instanceof Timestamp) return TypeOrder.timestamp
  if (isNumber(value)) return TypeOrder.number
  if (value instanceof Binary) return TypeOrder.binary
  if (value instanceof BSONRegExp) return TypeOrder.regex
  if (value instanceof MinKey) return TypeOrder.minKey
  if (value instanceof MaxKey) return TypeOrder.maxKey
  throw new TypeError(`no BSON type for ${Object.prototype.toString.call(value)}`)
}

/** Compares values of all types in MongoDB's total order; negative, zero or positive. */
export function compareValues(a: unknown, b: unknown): number {
  const order = typeOrder(a)
  const difference = order - typeOrder(b)
  return difference === 0 ? compareSameType(order, a, b) : difference
}

export function equalValues(a: unknown, b: unknown): boolean {
  return a === b || compareValues(a, b) === 0
}

function compareSameType(order: number, a: unknown, b: unknown): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(toNumeric(a), toNumeric(b))
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b)
  if (a instanceof Date && b instanceof Date) return a.getTime() - b.getTime()
  if (a instanceof ObjectId && b instanceof ObjectId) return Buffer.compare(a.id, b.id)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (isDocument(a) && isDocument(b)) return compareDocuments(a, b)
  if (Array.isArray(a) && Array.isArray(b)) return compareArrays(a, b)
  if (a instanceof Binary && b instanceof Binary) return compareBinaries(a, b)
  if (a instanceof Timestamp && b instanceof Timestamp) return a.compare(b)
  if (a instanceof BSONRegExp && b instanceof BSONRegExp) {
    return compareStrings(a.pattern, b.pattern) || compareStrings(a.options, b.options)
  }
  return order === TypeOrder.null || order === TypeOrder.minKey || order === TypeOrder.maxKey ? 0 : Number.NaN
}

function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1
  if (a > b) return 1
  // eslint-disable-next-line eqeqeq -- 1n == 1 is the point: equal across the number types
  if (a == b) return 0
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a))
}

/** Compares by UTF-8 bytes without encoding: the order of code units differs only around the surrogates. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return utf8Rank(x) - utf8Rank(y)
  }
  return a.length - b.length
}

function utf8Rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

function compareDocuments(a: Document, b: Document): number {
  const left = Object.entries(a)
  const right = Object.entries(b)
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [nameA, valueA] = left[i] ?? ['', undefined]
    const [nameB, valueB] = right[i] ?? ['', undefined]
    const order = typeOrder(valueA) - typeOrder(valueB) || compareStrings(nameA, nameB) || compareValues(valueA, valueB)
    if (order !== 0) return order
  }
  return left.length - right.length
}

function compareArrays(a: unknown[], b: unknown[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareValues(a[i], b[i])
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareBinaries(a: Binary, b: Binary): number {
  return a.position - b.position || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value())
}

/** Returns a copy that shares no container with its source. */
export function cloneValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cloneValue)
  if (!isDocument(value)) return value
  const copy: Document = {}
  for (const [key, field] of Object.entries(value)) setField(copy, key, cloneValue(field))
  return copy
}

/** Sets an own field even when it is called `__proto__`. */
export function setField(target: Document, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[key] = value
  }
}

/** MongoDB's type names, as `$type` and error messages use them. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'number') return isInt32(value) ? 'int' : 'double'
  if (typeof value === 'bigint') return 'long'
  if (value instanceof Double) return 'double'
  const names: Record<number, string> = {
    [TypeOrder.null]: 'null',
    [TypeOrder.number]: 'int',
    [TypeOrder.string]: 'string',
    [TypeOrder.object]: 'object',
    [TypeOrder.array]: 'array',
    [TypeOrder.binary]: 'binData',
    [TypeOrder.objectId]: 'objectId',
    [TypeOrder.boolean]: 'bool',
    [TypeOrder.date]: 'date',
    [TypeOrder.timestamp]: 'timestamp',
    [TypeOrder.regex]: 'regex',
    [TypeOrder.minKey]: 'minKey',
    [TypeOrder.maxKey]: 'maxKey',
  }
  return names[typeOrder(value)] ?? 'unknown'
}

/** Returns whether the serializer writes this JavaScript number as an int32. */
export function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -0x80000000 && value <= 0x7fffffff && !Object.is(value, -0)
}

/** Formats a value for an error message, in the shell's notation. */
export function showValue(value: unknown): string {
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`
  if (value instanceof Date) return `new Date(${value.getTime()})`
  if (value instanceof Double) return String(value.valueOf())
  if (value === undefined) return 'null'
  if (Array.isArray(value)) return `[ ${value.map(showValue).join(', ')} ]`
  if (isDocument(value))
    return `{ ${Object.entries(value)
      .map(([k, v]) => `${k}: ${showValue(v)}`)
      .join(', ')} }`
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
