import { BSON } from 'mongodb'
import type { Fields } from './spec-file.ts'

/** Compares two values by the matching rules of the unified test format. Returns the first difference, or undefined. */
export function difference(expected: unknown, actual: unknown, { path = '', isRoot = true } = {}): string | undefined {
  if (isFields(expected)) return fieldsDifference(expected, actual, path, isRoot)
  if (Array.isArray(expected)) return arrayDifference(expected, actual, path, isRoot)
  if (isNumeric(expected) && isNumeric(actual)) {
    return Number(expected) === Number(actual) ? undefined : `${path}: ${show(expected)} is ${show(actual)}`
  }
  return show(expected) === show(actual) ? undefined : `${path}: ${show(expected)} is ${show(actual)}`
}

function fieldsDifference(expected: Fields, actual: unknown, path: string, isRoot: boolean): string | undefined {
  const [first = ''] = Object.keys(expected)
  if (first.startsWith('$$')) return special(first, expected[first], actual, path, isRoot)
  if (!isFields(actual)) return `${path}: an object is ${show(actual)}`
  for (const [key, value] of Object.entries(expected)) {
    const found = difference(value, actual[key], { path: `${path}.${key}`, isRoot: false })
    if (found) return found
  }
  if (isRoot) return undefined
  // The driver adds didUpsert.
  const extra = Object.keys(actual).find(
    (key) => !(key in expected) && actual[key] !== undefined && key !== 'didUpsert',
  )
  return extra ? `${path}: the key ${extra} is too many` : undefined
}

function special(
  operator: string,
  argument: unknown,
  actual: unknown,
  path: string,
  isRoot: boolean,
): string | undefined {
  switch (operator) {
    case '$$unsetOrMatches':
      return actual === undefined || actual === null ? undefined : difference(argument, actual, { path, isRoot })
    case '$$exists':
      return argument === (actual !== undefined) ? undefined : `${path}: exists is not ${show(argument)}`
    case '$$type':
      return actual === undefined ? `${path}: is missing` : undefined
    case '$$lte':
      return Number(actual) <= Number(argument) ? undefined : `${path}: ${show(actual)} is above ${show(argument)}`
    default:
      return `${path}: ${operator} is not known to this runner`
  }
}

function arrayDifference(expected: unknown[], actual: unknown, path: string, isRoot: boolean): string | undefined {
  if (!Array.isArray(actual) || actual.length !== expected.length)
    return `${path}: ${show(expected)} is ${show(actual)}`
  for (const [index, value] of expected.entries()) {
    const found = difference(value, actual[index], { path: `${path}[${index}]`, isRoot })
    if (found) return found
  }
  return undefined
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function isNumeric(value: unknown): boolean {
  return (
    typeof value === 'number' || typeof value === 'bigint' || value instanceof BSON.Long || value instanceof BSON.Double
  )
}

function show(value: unknown): string {
  return value === undefined ? 'missing' : BSON.EJSON.stringify({ value }).slice(9, -1)
}

/** Converts a result of the driver to the test format. */
export function specResult(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result
  const fields = resultFields.filter((field) => field in result && Reflect.get(result, field) !== undefined)
  if (!('insertedIds' in result) && !('upsertedIds' in result) && !('insertedCount' in result)) return result
  return Object.fromEntries(fields.map((field) => [field, plain(Reflect.get(result, field))]))
}

/** Converts maps with numeric keys, which the driver returns for some results. */
function plain(value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries([...value].map(([key, entry]) => [String(key), entry])) : value
}

const resultFields = [
  'insertedCount',
  'insertedIds',
  'matchedCount',
  'modifiedCount',
  'deletedCount',
  'upsertedCount',
  'upsertedIds',
  'insertResults',
  'updateResults',
  'deleteResults',
]
