import { Double } from 'bson'
import { CommandError } from '../errors.ts'
import { isInt32, isNumber, toNumeric } from './values.ts'

/**
 * Arithmetic with MongoDB's number types: int32 with int32 stays int32 or becomes int64; with an int64 it becomes int64, with a double it
 * becomes double.
 */

const int64Max = 2n ** 63n - 1n
const int64Min = -(2n ** 63n)

export type Operation = 'add' | 'subtract' | 'multiply'

/** @throws TypeMismatch for operands that are not numbers, Overflow beyond int64. */
export function arithmetic(operation: Operation, a: unknown, b: unknown): unknown {
  if (!isNumber(a) || !isNumber(b)) throw new CommandError('TypeMismatch', `only numbers can be used to ${operation}`)
  if (isDouble(a) || isDouble(b)) return toDouble(computeNumbers(operation, Number(toNumeric(a)), Number(toNumeric(b))))
  const result = computeBigints(operation, BigInt(toNumeric(a)), BigInt(toNumeric(b)))
  if (result > int64Max || result < int64Min) {
    throw new CommandError('BadValue', `Failed to apply ${operation}: the result overflows a 64-bit integer`)
  }
  const isSmall = typeof a !== 'bigint' && typeof b !== 'bigint' && isInt32(Number(result))
  return isSmall ? Number(result) : result
}

/** Converts a double to this engine's representation. */
export function toDouble(value: number): number | Double {
  return isInt32(value) ? new Double(value) : value
}

/** Returns a count or index as int32, or as int64 when it is larger. */
export function toInteger(value: number): number | bigint {
  return isInt32(value) ? value : BigInt(value)
}

export function isDouble(value: unknown): boolean {
  return value instanceof Double || (typeof value === 'number' && !isInt32(value))
}

function computeBigints(operation: Operation, a: bigint, b: bigint): bigint {
  if (operation === 'add') return a + b
  return operation === 'subtract' ? a - b : a * b
}

function computeNumbers(operation: Operation, a: number, b: number): number {
  if (operation === 'add') return a + b
  return operation === 'subtract' ? a - b : a * b
}
