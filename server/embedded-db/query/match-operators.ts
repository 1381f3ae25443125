import { BSONRegExp, MaxKey, MinKey } from 'bson'
import { badValue, unsupportedHere } from '../errors.ts'
import { isTruthy } from './expression-operators.ts'
import type { Variables } from './expression.ts'
import { encodeKey } from '../storage/index-keys.ts'
import { somePathValue } from './paths.ts'
import { regexTest } from './regex.ts'
import { compareValues, isDocument, isNumber, toNumeric, typeName, typeOrder, type Document } from '../bson/values.ts'

type Test = (value: unknown) => boolean

/** The part of the filter compiler that operators use. */
export interface FilterCompiler {
  operatorConditions(path: string, operators: Document, variables: Variables): Test
  elementTest(condition: Document, variables: Variables): Test
  equalityTest(expected: unknown): Test
  variables: Variables
}

/** The field operators supported in filters. */
export const fieldOperators = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$exists',
  '$type',
  '$size',
  '$regex',
  '$options',
  '$not',
  '$all',
  '$elemMatch',
]

/** Returns the condition of one operator on one field; undefined for `$options`, which belongs to `$regex`. */
export function fieldOperator(
  path: string,
  operator: string,
  operators: Document,
  compiler: FilterCompiler,
): Test | undefined {
  const parts = path.split('.')
  const argument = operators[operator]
  const onValues =
    (test: Test): Test =>
    (document) =>
      somePathValue(document, parts, test)
  const onWhole =
    (test: Test): Test =>
    (document) =>
      somePathValue(document, parts, test, { isWhole: true })
  switch (operator) {
    case '$eq':
      return onValues(compiler.equalityTest(argument))
    case '$ne':
      refuseRegex(path, operator, argument)
      return negate(onValues(compiler.equalityTest(argument)))
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      refuseRegex(path, operator, argument)
      return onValues(comparison(operator, argument))
    case '$in':
      return onValues(membership(operator, argument))
    case '$nin':
      return negate(onValues(membership(operator, argument)))
    case '$exists': {
      const isWanted = isTruthy(argument)
      const exists = onWhole((value) => value !== undefined)
      return isWanted ? exists : negate(exists)
    }
    case '$type':
      return onValues(typeTest(argument))
    case '$size':
      return onWhole(sizeTest(argument))
    case '$regex':
      return onValues(regexTest(regexOf(argument, operators.$options)))
    case '$options':
      if (!('$regex' in operators)) throw badValue('$options needs a $regex')
      return undefined
    case '$not':
      return negate(negated(path, argument, onValues, compiler))
    case '$all':
      return all(argument, onValues, onWhole, compiler)
    case '$elemMatch':
      return onWhole(elemMatch(argument, compiler))
    default:
      throw badValue(`unknown operator: ${operator}; ${unsupportedHere}`)
  }
}

function negate(test: Test): Test {
  return (document) => !test(document)
}

function refuseRegex(path: string, operator: string, argument: unknown): void {
  if (argument instanceof BSONRegExp) throw badValue(`Can't have RegEx as arg to ${operator} over field '${path}'.`)
}

/** Ranges apply within one type: `{ $gt: 5 }` never matches a string. */
function comparison(operator: string, argument: unknown): Test {
  const isInclusive = operator.endsWith('e')
  if (argument === null || argument === undefined) {
    return (value) => isInclusive && (value === null || value === undefined)
  }
  const wanted = operator.startsWith('$g') ? 1 : -1
  const fits = (order: number): boolean => (order === 0 ? isInclusive : Math.sign(order) === wanted)
  if (argument instanceof MinKey || argument instanceof MaxKey) {
    return (value) => fits(compareValues(value ?? null, argument))
  }
  const type = typeOrder(argument)
  if (isNaNValue(argument)) return (value) => isInclusive && isNaNValue(value)
  return (value) =>
    value !== undefined && typeOrder(value) === type && !isNaNValue(value) && fits(compareValues(value, argument))
}

function isNaNValue(value: unknown): boolean {
  return typeof value === 'number' && Number.isNaN(value)
}

function membership(operator: string, argument: unknown): Test {
  if (!Array.isArray(argument)) throw badValue(`${operator} needs an array`)
  const expressions: Test[] = []
  const keys = new Set<string>()
  let hasNull = false
  for (const element of argument) {
    if (isDocument(element) && Object.keys(element)[0]?.startsWith('$'))
      throw badValue(`cannot nest $ under ${operator}`)
    if (element instanceof BSONRegExp) expressions.push(regexTest(element))
    if (element === null || element === undefined) hasNull = true
    else keys.add(keyText(element))
  }
  return (value) => {
    if (value === null || value === undefined) return hasNull
    return keys.has(keyText(value)) || expressions.some((test) => test(value))
  }
}

function keyText(value: unknown): string {
  return encodeKey(value).toString('latin1')
}

const typeNames: Record<number, string> = {
  [-1]: 'minKey',
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  127: 'maxKey',
}

function typeTest(argument: unknown): Test {
  const names = new Set([argument].flat().map(nameOfType))
  return (value) => value !== undefined && (names.has(typeName(value)) || (names.has('number') && isNumber(value)))
}

function nameOfType(type: unknown): string {
  const name = isNumber(type) ? typeNames[Number(toNumeric(type))] : String(type)
  if (name === undefined || !(name === 'number' || Object.values(typeNames).includes(name))) {
    throw badValue(`Unknown type name alias: ${String(type)}`)
  }
  return name
}

function sizeTest(argument: unknown): Test {
  const size = isNumber(argument) ? Number(toNumeric(argument)) : Number.NaN
  if (!Number.isInteger(size)) throw badValue('$size must be a whole number')
  if (size < 0) throw badValue('$size may not be negative')
  return (value) => Array.isArray(value) && value.length === size
}

function regexOf(pattern: unknown, options: unknown): BSONRegExp {
  if (pattern instanceof BSONRegExp) {
    return new BSONRegExp(pattern.pattern, typeof options === 'string' ? options : pattern.options)
  }
  if (typeof pattern !== 'string') throw badValue('$regex has to be a string')
  return new BSONRegExp(pattern, typeof options === 'string' ? options : '')
}

function negated(path: string, argument: unknown, onValues: (test: Test) => Test, compiler: FilterCompiler): Test {
  if (argument instanceof BSONRegExp) return onValues(regexTest(argument))
  if (!isDocument(argument) || Object.keys(argument).length === 0) throw badValue('$not needs a regex or a document')
  return compiler.operatorConditions(path, argument, compiler.variables)
}

function all(
  argument: unknown,
  onValues: (test: Test) => Test,
  onWhole: (test: Test) => Test,
  compiler: FilterCompiler,
): Test {
  if (!Array.isArray(argument)) throw badValue('$all needs an array')
  const tests = argument.map((element) => {
    if (isDocument(element) && '$elemMatch' in element) return onWhole(elemMatch(element.$elemMatch, compiler))
    return onValues(element instanceof BSONRegExp ? regexTest(element) : compiler.equalityTest(element))
  })
  return (document) => tests.length > 0 && tests.every((test) => test(document))
}

function elemMatch(argument: unknown, compiler: FilterCompiler): Test {
  if (!isDocument(argument)) throw badValue('$elemMatch needs an Object')
  const test = compiler.elementTest(argument, compiler.variables)
  return (value) => Array.isArray(value) && value.some(test)
}
