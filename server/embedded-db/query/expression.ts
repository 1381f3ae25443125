import { CommandError, unsupportedHere } from '../errors.ts'
import { isTruthy, pureOperators } from './expression-operators.ts'
import { isDocument, setField, type Document } from '../bson/values.ts'

/** Variables such as `$$NOW` and those of `let`, by name without the dollars. */
export type Variables = Readonly<Record<string, unknown>>

export interface Scope {
  root: unknown
  variables: Variables
}

/** A compiled aggregation expression; undefined represents a missing value. */
export type Expression = (scope: Scope) => unknown

/** Returns the names of all operators. */
export function expressionOperators(): string[] {
  return [...Object.keys(pureOperators), ...Object.keys(lazyOperators), '$literal'].toSorted()
}

/** @throws InvalidPipelineOperator for an operator that this engine does not know, even if there are no documents. */
export function compileExpression(expression: unknown, variables: Variables): Expression {
  if (typeof expression === 'string' && expression.startsWith('$')) return compilePath(expression, variables)
  if (Array.isArray(expression)) return compileArray(expression, variables)
  if (!isDocument(expression)) return () => expression
  const [operator] = Object.keys(expression)
  if (operator?.startsWith('$')) return compileOperator(operator, expression, variables)
  return compileDocument(expression, variables)
}

function compilePath(path: string, variables: Variables): Expression {
  if (!path.startsWith('$$')) {
    const parts = path.slice(1).split('.')
    return ({ root }) => expressionPath(root, parts)
  }
  const [name = '', ...parts] = path.slice(2).split('.')
  if (name === 'ROOT' || name === 'CURRENT') return ({ root }) => expressionPath(root, parts)
  if (name === 'REMOVE') return () => undefined
  if (!Object.hasOwn(variables, name)) throw new CommandError('Location40323', `Use of undefined variable: ${name}`)
  return (scope) => expressionPath(scope.variables[name], parts)
}

/** Resolves a field path in an expression; an array along the path yields an array of its elements' values. */
function expressionPath(node: unknown, parts: readonly string[]): unknown {
  const [part, ...rest] = parts
  if (part === undefined) return node
  if (Array.isArray(node)) {
    return node.map((element) => expressionPath(element, parts)).filter((value) => value !== undefined)
  }
  if (!isDocument(node) || !Object.hasOwn(node, part)) return undefined
  return expressionPath(node[part], rest)
}

function compileArray(elements: unknown[], variables: Variables): Expression {
  const compiled = elements.map((element) => compileExpression(element, variables))
  return (scope) => compiled.map((element) => element(scope) ?? null)
}

function compileDocument(fields: Document, variables: Variables): Expression {
  const compiled = Object.entries(fields).map(([key, value]) => [key, compileExpression(value, variables)] as const)
  return (scope) => {
    const result: Document = {}
    for (const [key, field] of compiled) {
      const value = field(scope)
      if (value !== undefined) setField(result, key, value)
    }
    return result
  }
}

function compileOperator(operator: string, expression: Document, variables: Variables): Expression {
  if (Object.keys(expression).length !== 1) {
    throw new CommandError(
      'Location40323',
      `an expression must have one operator: ${Object.keys(expression).join(', ')}`,
    )
  }
  const argument = expression[operator]
  if (operator === '$literal') return () => argument
  const lazy = lazyOperators[operator]
  if (lazy) return lazy(argument, variables)
  const pure = pureOperators[operator]
  if (!pure)
    throw new CommandError('InvalidPipelineOperator', `Unrecognized expression '${operator}'; ${unsupportedHere}`)
  if (isDocument(argument) && !Object.keys(argument)[0]?.startsWith('$')) return compileNamed(pure, argument, variables)
  const args = [argument].flat().map((arg) => compileExpression(arg, variables))
  return (scope) => pure(args.map((arg) => arg(scope)))
}

/** Operators with named arguments, such as `$dateAdd`, receive one document. */
function compileNamed(operator: (args: unknown[]) => unknown, argument: Document, variables: Variables): Expression {
  const compiled = compileDocument(argument, variables)
  return (scope) => operator([compiled(scope)])
}

type LazyOperator = (argument: unknown, variables: Variables) => Expression

/** Operators that evaluate some of their arguments only depending on the results of others. */
const lazyOperators: Readonly<Record<string, LazyOperator>> = {
  $and: (argument, variables) => {
    const args = compileArguments(argument, variables)
    return (scope) => args.every((arg) => isTruthy(arg(scope)))
  },
  $or: (argument, variables) => {
    const args = compileArguments(argument, variables)
    return (scope) => args.some((arg) => isTruthy(arg(scope)))
  },
  $cond: (argument, variables) => {
    const branches = isDocument(argument) ? [argument.if, argument.then, argument.else] : argument
    const [condition, yes, no] = compileArguments(branches, variables)
    return (scope) => (isTruthy(condition?.(scope)) ? yes?.(scope) : no?.(scope))
  },
  $ifNull: (argument, variables) => {
    const args = compileArguments(argument, variables)
    return (scope) => {
      for (const arg of args.slice(0, -1)) {
        const value = arg(scope)
        if (value !== null && value !== undefined) return value
      }
      return args.at(-1)?.(scope)
    }
  },
}

function compileArguments(argument: unknown, variables: Variables): Expression[] {
  return [argument].flat().map((arg) => compileExpression(arg, variables))
}
