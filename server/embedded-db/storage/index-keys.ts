import { BSONRegExp, Binary, ObjectId, Timestamp } from 'bson'
import { CommandError } from '../errors.ts'
import { emptyArray, indexValues } from '../query/paths.ts'
import { TypeOrder, isDocument, isNumber, toNumeric, typeOrder, type Document } from '../bson/values.ts'

/*
 * Encodes keys whose bytes, compared as unsigned, sort in MongoDB's order of values: a type byte, then the value. Descending
 * parts have every bit inverted. Each part is self-delimiting, so parts are simply concatenated.
 */

const exactIntegers = 2 ** 53

let buffer = Buffer.allocUnsafe(4096)
let size = 0

/** One field of an index or sort specification. */
export interface KeyField {
  path: string
  parts: string[]
  isDescending: boolean
}

export function keyFields(specification: Document): KeyField[] {
  return Object.entries(specification).map(([path, direction]) => ({
    path,
    parts: path.split('.'),
    isDescending: isNumber(direction) && toNumeric(direction) < 0,
  }))
}

/** Parses the fields of a sort. @throws Location15975 for a direction other than 1 and -1. */
export function sortFields(specification: Document): KeyField[] {
  for (const direction of Object.values(specification)) {
    if (isNumber(direction) && Math.abs(Number(toNumeric(direction))) === 1) continue
    const message = '$sort key ordering must be 1 (for ascending) or -1 (for descending)'
    throw new CommandError('Location15975', message)
  }
  return keyFields(specification)
}

/** Returns the key part for one value. */
export function encodeKey(value: unknown, { isDescending = false } = {}): Buffer {
  size = 0
  if (value === emptyArray) putByte(TypeOrder.emptyArray)
  else putValue(value)
  const key = Buffer.from(buffer.subarray(0, size))
  return isDescending ? invert(key) : key
}

export function invert(key: Buffer): Buffer {
  const inverted = Buffer.from(key)
  for (let i = 0; i < inverted.length; i++) inverted[i] = 0xff - (inverted[i] ?? 0)
  return inverted
}

/** Returns the smallest byte string above every string with this prefix. Key parts never consist only of 0xff. */
export function after(prefix: Buffer): Buffer {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const byte = prefix[i] ?? 0
    if (byte !== 0xff) {
      const next = Buffer.from(prefix.subarray(0, i + 1))
      next[i] = byte + 1
      return next
    }
  }
  throw new RangeError('no key lies after this prefix')
}

export interface DocumentKeys {
  keys: Buffer[]
  /** Whether an array yielded several keys, so that the index can contain the document more than once. */
  isMultikey: boolean
  /** Whether the document has none of the indexed fields, so that sparse indexes leave it out. */
  isMissing: boolean
}

function requireOneArray(document: Document, fields: readonly KeyField[]): void {
  let first: string | undefined
  for (const { parts } of fields) {
    const path = arrayPath(document, parts)
    if (path === undefined || path === first) continue
    if (first === undefined) first = path
    else throw new CommandError('CannotIndexParallelArrays', `cannot index parallel arrays [${path}] [${first}]`)
  }
}

/** Returns the path of the first array on the way to a field. */
function arrayPath(document: Document, parts: readonly string[]): string | undefined {
  let node: unknown = document
  for (const [depth, part] of parts.entries()) {
    node = isDocument(node) && Object.hasOwn(node, part) ? node[part] : undefined
    if (Array.isArray(node)) return parts.slice(0, depth + 1).join('.')
  }
  return undefined
}

/**
 * Returns all keys of a document in an index: the product of the keys of its fields.
 *
 * @throws CannotIndexParallelArrays if two fields of the index are in separate arrays
 */
export function documentKeys(document: Document, fields: readonly KeyField[]): DocumentKeys {
  let keys: Buffer[] = []
  let isMultikey = false
  let isMissing = true
  if (fields.length > 1) requireOneArray(document, fields)
  for (const [position, field] of fields.entries()) {
    const values = indexValues(document, field.parts)
    if (values.length > 1 || values[0] === emptyArray) isMultikey = true
    if (values.some((value) => value !== undefined)) isMissing = false
    const parts = values.map((value) => encodeKey(value, field))
    keys = position === 0 ? parts : keys.flatMap((key) => parts.map((part) => Buffer.concat([key, part])))
  }
  if (keys.length > 1) keys = [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()]
  return { keys, isMultikey: isMultikey || keys.length > 1, isMissing }
}

/** Returns the sort key of a document: by its smallest array element ascending, by its largest descending. */
export function sortKey(document: Document, fields: readonly KeyField[]): Buffer {
  return Buffer.concat(
    fields.map((field) =>
      indexValues(document, field.parts)
        .map((value) => encodeKey(value, field))
        .reduce((least, key) => (Buffer.compare(key, least) < 0 ? key : least)),
    ),
  )
}

function putValue(value: unknown): void {
  const type = typeOrder(value)
  putByte(type)
  if (isNumber(value)) putNumber(toNumeric(value))
  else if (typeof value === 'string') putString(value)
  else if (typeof value === 'boolean') putByte(value ? 1 : 0)
  else if (value instanceof Date) putInt64(dateMs(value))
  else if (value instanceof ObjectId) putBytes(value.id)
  else if (Array.isArray(value)) putArray(value)
  else if (isDocument(value)) putDocument(value)
  else if (value instanceof Binary) putBinary(value)
  else if (value instanceof Timestamp) putInt64(BigInt.asIntN(64, value.toBigInt() ^ (1n << 63n)))
  else if (value instanceof BSONRegExp) {
    putString(value.pattern)
    putString(value.options)
  }
}

function putDocument(value: Document): void {
  for (const [name, field] of Object.entries(value)) {
    putByte(typeOrder(field))
    putString(name)
    putValue(field)
  }
  putByte(0)
}

function putArray(value: unknown[]): void {
  for (const element of value) putValue(element)
  putByte(0)
}

function putBinary(value: Binary): void {
  const bytes = value.value()
  reserve(5)
  size = buffer.writeUInt32BE(bytes.length, size)
  putByte(value.sub_type)
  putBytes(bytes)
}

/** Writes the eight bytes of the double; beyond 2^53, two more for the difference lost by rounding an int64 to a double. */
function putNumber(value: number | bigint): void {
  const double = Number(value)
  reserve(10)
  if (Number.isNaN(double)) {
    buffer.fill(0, size, size + 8)
    size += 8
    return
  }
  const start = size
  size = buffer.writeDoubleBE(double === 0 ? 0 : double, size)
  if (double < 0) for (let i = start; i < size; i++) buffer[i] = 0xff - (buffer[i] ?? 0)
  else buffer[start] = (buffer[start] ?? 0) ^ 0x80
  if (Math.abs(double) < exactIntegers) return
  const rest = typeof value === 'bigint' ? Number(value - BigInt(double)) : 0
  size = buffer.writeUInt16BE(rest + 0x8000, size)
}

function putInt64(value: bigint): void {
  reserve(8)
  const start = size
  size = buffer.writeBigInt64BE(value, size)
  buffer[start] = (buffer[start] ?? 0) ^ 0x80
}

function dateMs(value: Date): bigint {
  const ms = value.getTime()
  return Number.isNaN(ms) ? -(2n ** 63n) : BigInt(ms)
}

/** Writes UTF-8 terminated by a zero byte; the bytes 0 and 1 inside are escaped. */
function putString(value: string): void {
  const bytes = Buffer.from(value, 'utf8')
  reserve(bytes.length * 2 + 1)
  for (const byte of bytes) {
    if (byte < 2) {
      buffer[size++] = 1
      buffer[size++] = byte + 1
    } else {
      buffer[size++] = byte
    }
  }
  buffer[size++] = 0
}

function putBytes(bytes: Uint8Array): void {
  reserve(bytes.length)
  buffer.set(bytes, size)
  size += bytes.length
}

function putByte(byte: number): void {
  reserve(1)
  buffer[size++] = byte
}

function reserve(count: number): void {
  if (size + count <= buffer.length) return
  const larger = Buffer.allocUnsafe((size + count) * 2)
  buffer.copy(larger, 0, 0, size)
  buffer = larger
}
