import { CommandError } from './errors.ts'
import { isNullish } from './expression-scalars.ts'
import { arithmetic, toDouble } from './numbers.ts'
import { compareValues, equalValues, isNumber, toNumeric, typeName } from './values.ts'

type Operator = (args: unknown[]) => unknown

/** Array operators, and the accumulators that also take an array in an expression. */
export const arrayOperators: Readonly<Record<string, Operator>> = {
  $size: ([array]) => arrayOf('$size', array).length,
  $isArray: ([value]) => Array.isArray(value),
  $in: ([value, array]) => arrayOf('$in', array).some((element) => equalValues(element, value)),
  $arrayElemAt: ([array, index]) => (isNullish(array) ? null : arrayOf('$arrayElemAt', array).at(integerOf(index))),
  $first: ([array]) => (isNullish(array) ? null : arrayOf('$first', array).at(0)),
  $last: ([array]) => (isNullish(array) ? null : arrayOf('$last', array).at(-1)),
  $concatArrays: (arrays) =>
    arrays.some(isNullish) ? null : arrays.flatMap((array) => arrayOf('$concatArrays', array)),
  $slice: ([array, from, count]) => (isNullish(array) ? null : slice(arrayOf('$slice', array), from, count)),
  $sum: (args) => sum(operands(args)),
  $avg: (args) => average(operands(args)),
  $min: (args) => extreme(operands(args), -1),
  $max: (args) => extreme(operands(args), 1),
}

/** Adds the numbers among the values; others are ignored. */
export function sum(values: unknown[]): unknown {
  return values.filter(isNumber).reduce<unknown>((total, value) => arithmetic('add', total, value), 0)
}

/** The mean of the numbers among the values; null when there is none. */
export function average(values: unknown[]): unknown {
  const numbers = values.filter(isNumber)
  if (numbers.length === 0) return null
  return toDouble(numbers.reduce<number>((total, value) => total + Number(toNumeric(value)), 0) / numbers.length)
}

/** The least (-1) or greatest (1) value in MongoDB's order, ignoring null and missing; null when there is none. */
export function extreme(values: unknown[], direction: 1 | -1): unknown {
  const present = values.filter((value) => !isNullish(value))
  if (present.length === 0) return null
  return present.reduce((best, value) => (compareValues(value, best) * direction > 0 ? value : best))
}

function operands(args: unknown[]): unknown[] {
  const [only] = args
  return args.length === 1 && Array.isArray(only) ? only : args
}

function arrayOf(operator: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) {
    throw new CommandError('TypeMismatch', `The argument to ${operator} must be an array, but was ${typeName(value)}`)
  }
  return value
}

function integerOf(value: unknown): number {
  const number = isNumber(value) ? Number(toNumeric(value)) : Number.NaN
  if (!Number.isInteger(number)) throw new CommandError('TypeMismatch', `${typeName(value)} is no whole number`)
  return number
}

function slice(array: unknown[], from: unknown, count: unknown): unknown[] {
  const first = integerOf(from)
  if (count === undefined) return first < 0 ? array.slice(first) : array.slice(0, first)
  const start = first < 0 ? Math.max(0, array.length + first) : first
  return array.slice(start, start + integerOf(count))
}
