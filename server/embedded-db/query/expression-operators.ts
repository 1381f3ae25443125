import { CommandError } from '../errors.ts'
import { arithmetic, toDouble, type Operation } from '../bson/numbers.ts'
import { compareValues, equalValues, isDocument, isNumber, setField, toNumeric, typeName } from '../bson/values.ts'

/** Evaluates an operator on computed arguments; undefined represents a missing value. */
type Operator = (args: unknown[]) => unknown

/** The operators of expressions whose arguments are all evaluated first. */
export const pureOperators: Readonly<Record<string, Operator>> = {
  $eq: ([a, b]) => compareMissing(a, b) === 0,
  $ne: ([a, b]) => compareMissing(a, b) !== 0,
  $gt: ([a, b]) => compareMissing(a, b) > 0,
  $gte: ([a, b]) => compareMissing(a, b) >= 0,
  $lt: ([a, b]) => compareMissing(a, b) < 0,
  $lte: ([a, b]) => compareMissing(a, b) <= 0,
  $not: ([value]) => !isTruthy(value),
  $add: add,
  $subtract: subtract,
  $multiply: (args) => reduceNumbers('multiply', args, 1),
  $dateAdd: ([argument]) => shiftDate('$dateAdd', argument, 1),
  $dateSubtract: ([argument]) => shiftDate('$dateSubtract', argument, -1),
  $setField: ([argument]) => setFieldByName(argument),
  $size: ([array]) => arrayOf('$size', array).length,
  $in: ([value, array]) => arrayOf('$in', array).some((element) => equalValues(element, value)),
  $arrayElemAt: ([array, index]) => (isNullish(array) ? null : arrayOf('$arrayElemAt', array).at(integerOf(index))),
  $sum: (args) => sum(operands(args)),
  $avg: (args) => average(operands(args)),
  $min: (args) => extreme(operands(args), -1),
  $max: (args) => extreme(operands(args), 1),
}

/** Returns the truth value in MongoDB expressions: false, null, missing and zero are false, everything else is true. */
export function isTruthy(value: unknown): boolean {
  if (isNullish(value) || value === false) return false
  return !isNumber(value) || Number(toNumeric(value)) !== 0
}

/** Adds the numbers among the values; others are ignored. */
export function sum(values: unknown[]): unknown {
  return values.filter(isNumber).reduce<unknown>((total, value) => arithmetic('add', total, value), 0)
}

/** Returns the mean of the numbers among the values; null when there is none. */
export function average(values: unknown[]): unknown {
  const numbers = values.filter(isNumber)
  if (numbers.length === 0) return null
  return toDouble(numbers.reduce<number>((total, value) => total + Number(toNumeric(value)), 0) / numbers.length)
}

/** Returns the smallest (-1) or largest (1) value in MongoDB's order, ignoring null and missing; null when there is none. */
export function extreme(values: unknown[], direction: 1 | -1): unknown {
  const present = values.filter((value) => !isNullish(value))
  if (present.length === 0) return null
  return present.reduce((best, value) => (compareValues(value, best) * direction > 0 ? value : best))
}

function isNullish(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

/** Compares values in expressions, where a missing value is less than null. */
function compareMissing(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return compareValues(a, b)
}

function add(args: unknown[]): unknown {
  if (args.some(isNullish)) return null
  const date = args.find((arg) => arg instanceof Date)
  const others = args.filter((arg) => arg !== date)
  const total = reduceNumbers('add', others, 0)
  return date ? new Date(date.getTime() + milliseconds(total)) : total
}

function subtract([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) return null
  if (!(a instanceof Date)) return arithmetic('subtract', a, b)
  return b instanceof Date ? BigInt(a.getTime() - b.getTime()) : new Date(a.getTime() - milliseconds(b))
}

function milliseconds(value: unknown): number {
  if (isNumber(value)) return Number(toNumeric(value))
  throw new CommandError('TypeMismatch', `a date and a ${typeName(value)} cannot be added or subtracted`)
}

function reduceNumbers(operation: Operation, args: unknown[], start: number): unknown {
  if (args.some(isNullish)) return null
  return args.reduce((total, arg) => arithmetic(operation, total, arg), start)
}

const millisecondsPerUnit: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/** Supports only UTC and units of fixed length. */
function shiftDate(operator: string, argument: unknown, sign: 1 | -1): Date | null {
  const { startDate, amount, unit, timezone } = isDocument(argument) ? argument : {}
  const unitMs = typeof unit === 'string' ? millisecondsPerUnit[unit] : undefined
  if (unitMs === undefined || (timezone !== undefined && timezone !== 'UTC')) {
    throw new CommandError('CommandNotSupported', `${operator} takes days or less, in UTC, in the embedded database`)
  }
  if (isNullish(startDate) || isNullish(amount)) return null
  if (!(startDate instanceof Date) || !isNumber(amount)) {
    throw new CommandError('TypeMismatch', `${operator} requires a date and a numeric amount`)
  }
  return new Date(startDate.getTime() + sign * Number(toNumeric(amount)) * unitMs)
}

/** Sets a field whose name may contain dots or dollars. */
function setFieldByName(argument: unknown): unknown {
  const { field, input, value } = isDocument(argument) ? argument : {}
  if (isNullish(input)) return null
  if (typeof field !== 'string' || !isDocument(input)) {
    throw new CommandError('TypeMismatch', '$setField needs a field and an object')
  }
  const copy = { ...input }
  if (value === undefined) delete copy[field]
  else setField(copy, field, value)
  return copy
}

function operands(args: unknown[]): unknown[] {
  const [only] = args
  return args.length === 1 && Array.isArray(only) ? only : args
}

function arrayOf(operator: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new CommandError('TypeMismatch', `The argument to ${operator} must be an array, but was ${typeName(value)}`)
}

function integerOf(value: unknown): number {
  const number = isNumber(value) ? Number(toNumeric(value)) : Number.NaN
  if (!Number.isInteger(number)) throw new CommandError('TypeMismatch', `${typeName(value)} is no whole number`)
  return number
}
