import { BSONRegExp } from 'bson'
import { badValue } from '../errors.ts'
import { isTruthy } from './expression-operators.ts'
import { compileExpression, type Variables } from './expression.ts'
import { fieldOperator } from './match-operators.ts'
import { somePathValue } from './paths.ts'
import { regexTest } from './regex.ts'
import { equalValues, isDocument, isOperatorDocument, type Document } from '../bson/values.ts'

/** Returns whether a document matches a filter. */
export type Predicate = (document: unknown) => boolean

/** Compiles a filter with MongoDB's matching semantics; unknown operators are refused. */
export function compileFilter(filter: Document, variables: Variables): Predicate {
  const predicates: Predicate[] = []
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$comment') continue
    predicates.push(key.startsWith('$') ? topLevel(key, value, variables) : fieldCondition(key, value, variables))
  }
  return every(predicates)
}

/** Returns whether a filter has `$expr`, at its top level or in `$and`, `$or` or `$nor`. */
export function hasExpr(filter: Document): boolean {
  if ('$expr' in filter) return true
  const branches = [filter.$and, filter.$or, filter.$nor].filter((list) => Array.isArray(list)).flat()
  return branches.some((branch) => isDocument(branch) && hasExpr(branch))
}

function topLevel(operator: string, value: unknown, variables: Variables): Predicate {
  switch (operator) {
    case '$and':
      return every(branches(operator, value, variables))
    case '$or':
      return some(branches(operator, value, variables))
    case '$nor':
      return not(some(branches(operator, value, variables)))
    case '$expr': {
      const expression = compileExpression(value, variables)
      return (document) => isTruthy(expression({ root: document, variables }))
    }
    default:
      throw badValue(`unknown top level operator: ${operator}`)
  }
}

function branches(operator: string, value: unknown, variables: Variables): Predicate[] {
  if (!Array.isArray(value) || value.length === 0) throw badValue(`${operator} must be a nonempty array`)
  return value.map((branch) => {
    if (!isDocument(branch)) throw badValue(`${operator} entries need to be full objects`)
    return compileFilter(branch, variables)
  })
}

/** Returns the condition of a field: operators, a regular expression, or equality. */
export function fieldCondition(path: string, value: unknown, variables: Variables): Predicate {
  if (isOperatorDocument(value)) return operatorConditions(path, value, variables)
  const parts = path.split('.')
  const test = value instanceof BSONRegExp ? regexTest(value) : equalityTest(value)
  return (document) => somePathValue(document, parts, test)
}

/** Returns the condition of all operators on one field, such as `{ $gte: 1, $lt: 5 }`. */
export function operatorConditions(path: string, operators: Document, variables: Variables): Predicate {
  const compiler = { operatorConditions, elementTest, equalityTest, variables }
  const predicates = Object.keys(operators).map((operator) => fieldOperator(path, operator, operators, compiler))
  return every(predicates.filter((predicate) => predicate !== undefined))
}

/** Equality in a filter: null also matches a missing field. */
export function equalityTest(expected: unknown): (value: unknown) => boolean {
  if (expected === null || expected === undefined) return (value) => value === null || value === undefined
  return (value) => value !== undefined && equalValues(value, expected)
}

/** Tests one array element by `{ $elemMatch: condition }` or `{ $pull: { field: condition } }`. */
export function elementTest(condition: Document, variables: Variables): Predicate {
  const [first = ''] = Object.keys(condition)
  const isValueTest = first.startsWith('$') && !['$and', '$or', '$nor', '$expr'].includes(first)
  if (!isValueTest) {
    const predicate = compileFilter(condition, variables)
    return (element) => (isDocument(element) || Array.isArray(element)) && predicate(element)
  }
  const predicate = operatorConditions('element', condition, variables)
  return (element) => predicate({ element: Array.isArray(element) ? [element] : element })
}

export function not(predicate: Predicate): Predicate {
  return (document) => !predicate(document)
}

function every(predicates: Predicate[]): Predicate {
  const [only] = predicates
  if (only && predicates.length === 1) return only
  return (document) => predicates.every((predicate) => predicate(document))
}

function some(predicates: Predicate[]): Predicate {
  return (document) => predicates.some((predicate) => predicate(document))
}
