import { CommandError } from './errors.ts'
import { arithmetic, toDouble, type Operation } from './numbers.ts'
import { ObjectId } from 'bson'
import { compareValues, isDocument, isNumber, setField, toNumeric, typeName, type Document } from './values.ts'

type Operator = (args: unknown[]) => unknown

/** Comparison, arithmetic, text and conversion operators of expressions, on evaluated arguments. */
export const scalarOperators: Readonly<Record<string, Operator>> = {
  $eq: ([a, b]) => compareMissing(a, b) === 0,
  $ne: ([a, b]) => compareMissing(a, b) !== 0,
  $gt: ([a, b]) => compareMissing(a, b) > 0,
  $gte: ([a, b]) => compareMissing(a, b) >= 0,
  $lt: ([a, b]) => compareMissing(a, b) < 0,
  $lte: ([a, b]) => compareMissing(a, b) <= 0,
  $cmp: ([a, b]) => Math.sign(compareMissing(a, b)),
  $not: ([value]) => value === null || value === undefined || value === false || isZero(value),
  $add: add,
  $subtract: subtract,
  $multiply: (args) => reduceNumbers('multiply', args, 1),
  $divide: ([a, b]) => divide(a, b),
  $concat: concat,
  $toLower: ([value]) => textOf(value).toLowerCase(),
  $toUpper: ([value]) => textOf(value).toUpperCase(),
  $toString: ([value]) => (isNullish(value) ? null : textOf(value)),
  $type: ([value]) => typeName(value),
  $mergeObjects: mergeObjects,
  $setField: setFieldByName,
}

export function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

/** In expressions a missing value stands below null. */
function compareMissing(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return compareValues(a, b)
}

function isZero(value: unknown): boolean {
  return isNumber(value) && Number(toNumeric(value)) === 0
}

function add(args: unknown[]): unknown {
  if (args.some(isNullish)) return null
  const date = args.find((arg) => arg instanceof Date)
  const sum = reduceNumbers(
    'add',
    args.filter((arg) => arg !== date),
    0,
  )
  return date ? new Date(date.getTime() + millisecondsOf(sum)) : sum
}

function subtract([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) return null
  if (a instanceof Date)
    return b instanceof Date ? BigInt(a.getTime() - b.getTime()) : new Date(a.getTime() - millisecondsOf(b))
  return arithmetic('subtract', a, b)
}

function millisecondsOf(value: unknown): number {
  if (!isNumber(value)) throw new CommandError('TypeMismatch', `a date and a ${typeName(value)} cannot be added`)
  return Number(toNumeric(value))
}

function reduceNumbers(operation: Operation, args: unknown[], start: number): unknown {
  if (args.some(isNullish)) return null
  return args.reduce((total, arg) => arithmetic(operation, total, arg), start)
}

function divide(a: unknown, b: unknown): unknown {
  if (isNullish(a) || isNullish(b)) return null
  if (!isNumber(a) || !isNumber(b)) throw new CommandError('TypeMismatch', '$divide only supports numeric types')
  if (isZero(b)) throw new CommandError('BadValue', "can't $divide by zero")
  return toDouble(Number(toNumeric(a)) / Number(toNumeric(b)))
}

function concat(args: unknown[]): string | null {
  if (args.some(isNullish)) return null
  const wrong = args.find((arg) => typeof arg !== 'string')
  if (wrong !== undefined)
    throw new CommandError('TypeMismatch', `$concat only supports strings, not ${typeName(wrong)}`)
  return args.join('')
}

function textOf(value: unknown): string {
  if (isNullish(value)) return ''
  if (typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof ObjectId) return value.toHexString()
  if (isNumber(value)) return String(toNumeric(value))
  if (typeof value === 'boolean') return String(value)
  throw new CommandError('TypeMismatch', `can't convert from BSON type ${typeName(value)} to String`)
}

/** Sets a field whose name may hold dots or dollars. */
function setFieldByName([argument]: unknown[]): unknown {
  const { field, input, value } = isDocument(argument) ? argument : {}
  if (isNullish(input)) return null
  if (typeof field !== 'string' || !isDocument(input))
    throw new CommandError('TypeMismatch', '$setField needs a field and an object')
  const copy = { ...input }
  if (value === undefined) delete copy[field]
  else setField(copy, field, value)
  return copy
}

function mergeObjects(args: unknown[]): Document {
  const merged: Document = {}
  for (const arg of args) {
    if (isNullish(arg)) continue
    if (!isDocument(arg)) throw new CommandError('TypeMismatch', `$mergeObjects requires objects, not ${typeName(arg)}`)
    for (const [key, value] of Object.entries(arg)) setField(merged, key, value)
  }
  return merged
}
