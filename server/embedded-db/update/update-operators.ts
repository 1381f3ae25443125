import { BSONRegExp, Timestamp } from 'bson'
import { CommandError, unsupportedHere, badValue } from '../errors.ts'
import type { Variables } from '../query/expression.ts'
import { compileFilter, elementTest, type Predicate } from '../query/match.ts'
import { arithmetic } from '../bson/numbers.ts'
import { plainValue } from '../query/paths.ts'
import { regexTest } from '../query/regex.ts'
import { putAt, removeAt, valueAt, type Place } from './update-paths.ts'
import {
  cloneValue,
  compareValues,
  equalValues,
  isDocument,
  isNumber,
  isOperatorDocument,
  showValue,
  toNumeric,
  typeName,
  type Document,
} from '../bson/values.ts'

interface Change {
  place: Place
  current: unknown
  argument: unknown
  path: string
  variables: Variables
}

interface UpdateOperator {
  /** Whether a missing path is created. */
  isCreating: boolean
  apply(change: Change): void
}

const creating = (apply: (change: Change) => void): UpdateOperator => ({ isCreating: true, apply })
const existing = (apply: (change: Change) => void): UpdateOperator => ({ isCreating: false, apply })

/** The field operators of updates, applied to one resolved place. Callers treat `$setOnInsert` as `$set`. */
export const updateOperators: Readonly<Record<string, UpdateOperator>> = {
  $set: creating(({ place, argument }) => putAt(place, cloneValue(argument))),
  $unset: existing(({ place }) => removeAt(place)),
  $inc: creating(increment),
  $min: creating((change) => keepExtreme(change, -1)),
  $max: creating((change) => keepExtreme(change, 1)),
  $currentDate: creating(currentDate),
  $push: creating(push),
  $addToSet: creating(addToSet),
  $pull: existing((change) => filterArray('$pull', change, pullTest(change))),
  $pullAll: existing((change) => {
    const values = createValueSet(arrayArgument('$pullAll', change.argument))
    filterArray('$pullAll', change, values.has)
  }),
  $pop: existing(pop),
}

export function applyOperator(operator: string, place: Place, argument: unknown, path: string, variables: Variables) {
  updateOperators[operator]?.apply({ place, current: valueAt(place), argument, path, variables })
}

function increment({ place, current, argument, path }: Change): void {
  if (!isNumber(argument)) {
    const message = `Cannot increment with non-numeric argument: {${path}: ${showValue(argument)}}`
    throw new CommandError('TypeMismatch', message)
  }
  if (current !== undefined && !isNumber(current)) {
    const message = `Cannot apply $inc to a value of non-numeric type. The field '${place.key}' is of type ${typeName(current)}`
    throw new CommandError('TypeMismatch', message)
  }
  putAt(place, current === undefined ? argument : arithmetic('add', current, argument))
}

function keepExtreme({ place, current, argument }: Change, direction: 1 | -1): void {
  if (current === undefined || compareValues(argument, current) * direction > 0) putAt(place, cloneValue(argument))
}

function currentDate({ place, argument, variables }: Change): void {
  const now = variables.NOW instanceof Date ? variables.NOW : new Date()
  if (isDocument(argument) && argument.$type === 'timestamp') {
    putAt(place, new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 }))
  } else {
    putAt(place, new Date(now))
  }
}

function push({ place, current, argument, path }: Change): void {
  const array = targetArray(current, path)
  const { values, modifiers } = pushArguments(argument)
  const position = integerModifier(modifiers.$position)
  if (position === undefined) array.push(...values)
  else array.splice(position < 0 ? Math.max(0, array.length + position) : position, 0, ...values)
  if (modifiers.$sort !== undefined) array.sort(sortOrder(modifiers.$sort))
  const slice = integerModifier(modifiers.$slice)
  if (slice === undefined) putAt(place, array)
  else putAt(place, slice < 0 ? array.slice(slice) : array.slice(0, slice))
}

function pushArguments(argument: unknown): { values: unknown[]; modifiers: Document } {
  if (!isDocument(argument) || !('$each' in argument)) return { values: [cloneValue(argument)], modifiers: {} }
  const unknown = Object.keys(argument).find((key) => !['$each', '$position', '$sort', '$slice'].includes(key))
  if (unknown) throw badValue(`Unrecognized clause in $push: ${unknown}; ${unsupportedHere}`)
  return { values: arrayArgument('$each', argument.$each).map(cloneValue), modifiers: argument }
}

function integerModifier(value: unknown): number | undefined {
  if (value === undefined) return undefined
  const number = isNumber(value) ? Number(toNumeric(value)) : Number.NaN
  if (!Number.isInteger(number)) throw badValue('a $push modifier must be a whole number')
  return number
}

function sortOrder(sort: unknown): (a: unknown, b: unknown) => number {
  if (isNumber(sort)) return (a, b) => Number(toNumeric(sort)) * compareValues(a, b)
  if (!isDocument(sort)) throw badValue('The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1}')
  const fields = Object.entries(sort).map(([path, direction]) => [path.split('.'), Number(direction)] as const)
  return (a, b) => {
    for (const [parts, direction] of fields) {
      const order = compareValues(plainValue(a, parts) ?? null, plainValue(b, parts) ?? null)
      if (order !== 0) return order * direction
    }
    return 0
  }
}

function addToSet({ place, current, argument, path }: Change): void {
  const array = targetArray(current, path)
  const hasEach = isDocument(argument) && '$each' in argument
  const values = hasEach ? arrayArgument('$each', argument.$each) : [argument]
  const known = createValueSet(array)
  for (const value of values) {
    if (known.has(value)) continue
    array.push(cloneValue(value))
    known.add(value)
  }
  putAt(place, array)
}

/** Creates a set of values of any type. Strings are looked up by hash, because a thousand may be added to ten thousand. */
function createValueSet(values: unknown[]) {
  const strings = new Set(values.filter((value) => typeof value === 'string'))
  const others = values.filter((value) => typeof value !== 'string')
  return {
    has: (value: unknown) =>
      typeof value === 'string' ? strings.has(value) : others.some((other) => equalValues(other, value)),
    add: (value: unknown) => void (typeof value === 'string' ? strings.add(value) : others.push(value)),
  }
}

function targetArray(current: unknown, path: string): unknown[] {
  if (current === undefined) return []
  if (!Array.isArray(current))
    throw badValue(`The field '${path}' must be an array but is of type ${typeName(current)}`)
  return current
}

function arrayArgument(operator: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw badValue(`The argument to ${operator} must be an array but was ${typeName(value)}`)
  return value
}

function filterArray(operator: string, { place, current }: Change, isRemoved: Predicate): void {
  if (current === undefined) return
  if (!Array.isArray(current)) throw badValue(`Cannot apply ${operator} to a non-array value`)
  putAt(
    place,
    current.filter((element) => !isRemoved(element)),
  )
}

/** A document condition matches documents by their fields, an operator condition any element; otherwise equality decides. */
function pullTest({ argument, variables }: Change): Predicate {
  if (argument instanceof BSONRegExp) return regexTest(argument)
  if (isOperatorDocument(argument)) return elementTest(argument, variables)
  if (isDocument(argument)) {
    const predicate = compileFilter(argument, variables)
    return (element) => isDocument(element) && predicate(element)
  }
  return (element) => equalValues(element, argument)
}

function pop({ place, current, argument, path }: Change): void {
  if (current === undefined) return
  if (!Array.isArray(current)) {
    throw new CommandError(
      'TypeMismatch',
      `Path '${path}' contains an element of non-array type '${typeName(current)}'`,
    )
  }
  if (isNumber(argument) && Number(toNumeric(argument)) < 0) putAt(place, current.slice(1))
  else putAt(place, current.slice(0, -1))
}
