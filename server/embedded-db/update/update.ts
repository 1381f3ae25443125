import { ObjectId } from 'bson'
import { compileUpdatePipeline } from '../query/aggregate-stages.ts'
import { decode, encode, maxDocumentBytes } from '../bson/bson-codec.ts'
import { CommandError, unsupportedHere } from '../errors.ts'
import type { Variables } from '../query/expression.ts'
import { compileFilter, type Predicate } from '../query/match.ts'
import { positionalElement } from './positional.ts'
import { applyOperator, updateOperators } from './update-operators.ts'
import { expandPath, findPlace, makePlace, noPositionalMatch, putAt } from './update-paths.ts'
import { equalValues, isDocument, isOperatorDocument, showValue, typeName, type Document } from '../bson/values.ts'

export interface UpdateOptions {
  filter: Document
  arrayFilters: Document[]
  variables: Variables
}

export type UpdateKind = 'pipeline' | 'operators' | 'replacement'

export function updateKind(update: unknown): UpdateKind {
  if (Array.isArray(update)) return 'pipeline'
  if (!isDocument(update))
    throw new CommandError('FailedToParse', 'Update argument must be either an object or an array')
  return isOperatorDocument(update) ? 'operators' : 'replacement'
}

/**
 * Validates an update independently of a document, before anything is read or changed.
 *
 * @throws CommandError
 */
export function requireValidUpdate(update: unknown, variables: Variables): void {
  if (Array.isArray(update)) compileUpdatePipeline(update, variables)
  else if (updateKind(update) === 'operators' && isDocument(update)) requireOperators(update)
}

/** Returns the bytes of the updated document, or undefined when the update changes nothing. */
export function updatedBody(body: Uint8Array, update: unknown, options: UpdateOptions): Uint8Array | undefined {
  const document = decode(body)
  const id = document._id
  const updated = apply(document, update, options, { isInsert: false })
  if (updated._id === undefined && id !== undefined) throw immutableId()
  if (id !== undefined && !equalValues(updated._id, id)) throw immutableId()
  const changed = encodeUpdated(updated)
  return Buffer.compare(body, changed) === 0 ? undefined : changed
}

function encodeUpdated(document: Document): Uint8Array {
  try {
    const body = encode(document)
    if (body.length <= maxDocumentBytes) return body
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
  }
  const message = `Resulting document after update is larger than ${maxDocumentBytes}`
  throw new CommandError('Location17419', message)
}

/** Returns the document that an upsert inserts: equalities of the filter, then the update; `_id` first. */
export function upsertedDocument(update: unknown, options: UpdateOptions): Document {
  const base = filterEqualities(options.filter, {})
  const made = apply(base, update, options, { isInsert: true })
  if (base._id !== undefined && made._id !== undefined && !equalValues(base._id, made._id)) throw immutableId()
  const { _id = base._id, ...rest }: Document = made
  return { _id: _id === undefined ? new ObjectId() : _id, ...rest }
}

function apply(document: Document, update: unknown, options: UpdateOptions, mode: { isInsert: boolean }): Document {
  if (Array.isArray(update)) return compileUpdatePipeline(update, options.variables)(document)
  if (!isDocument(update))
    throw new CommandError('FailedToParse', 'Update argument must be either an object or an array')
  if (updateKind(update) === 'operators') return applyOperators(document, update, options, mode)
  if (document._id === undefined) return update
  const { _id = document._id, ...rest } = update
  return { _id, ...rest }
}

function applyOperators(
  document: Document,
  update: Document,
  options: UpdateOptions,
  { isInsert }: { isInsert: boolean },
): Document {
  const resolve = pathResolver(document, update, options)
  const touched: string[] = []
  for (const [operator, changes] of Object.entries(update)) {
    for (const [path, argument] of Object.entries(isDocument(changes) ? changes : {})) {
      if (operator === '$setOnInsert' && !isInsert) {
        touched.push(path)
      } else {
        const effective = operator === '$setOnInsert' ? '$set' : operator
        touched.push(...changePath(document, effective, path, argument, resolve(path), options.variables))
      }
    }
  }
  refuseConflicts(touched)
  return document
}

function changePath(
  document: Document,
  operator: string,
  path: string,
  argument: unknown,
  concretePaths: string[][],
  variables: Variables,
): string[] {
  for (const parts of concretePaths) {
    const isCreating = updateOperators[operator]?.isCreating
    const place = isCreating ? makePlace(document, parts) : findPlace(document, parts)
    if (place) applyOperator(operator, place, argument, path, variables)
  }
  return concretePaths.map((parts) => parts.join('.'))
}

/** Resolves positional paths; the element to which `$` refers is looked up once, before any change to its array. */
function pathResolver(document: Document, update: Document, options: UpdateOptions): (path: string) => string[][] {
  const arrayFilters = compileArrayFilters(update, options)
  const positions = new Map<string, number>()
  function positionalIndex(arrayPath: string, array: unknown[]): number {
    const known = positions.get(arrayPath)
    if (known !== undefined) return known
    const index = positionalElement(options.filter, arrayPath, array, options.variables)
    if (index === undefined) throw noPositionalMatch()
    positions.set(arrayPath, index)
    return index
  }
  return (path) => {
    const parts = path.split('.')
    return path.includes('$') ? expandPath(document, parts, { positionalIndex, arrayFilters }) : [parts]
  }
}

function compileArrayFilters(update: Document, options: UpdateOptions): Map<string, Predicate> {
  const compiled = new Map<string, Predicate>()
  if (options.arrayFilters.length === 0) return compiled
  const paths = Object.values(update).flatMap((changes) => (isDocument(changes) ? Object.keys(changes) : []))
  for (const filter of options.arrayFilters) {
    const identifiers = new Set(filterPaths(filter).map((path) => path.split('.')[0] ?? ''))
    const [identifier = ''] = identifiers
    if (identifiers.size !== 1 || !/^[a-z]\w*$/.test(identifier)) {
      throw new CommandError('FailedToParse', 'Error parsing array filter: expected a single top-level field name')
    }
    if (!paths.some((path) => path.includes(`$[${identifier}]`))) {
      const message = `The array filter for identifier '${identifier}' was not used in the update ${showValue(update)}`
      throw new CommandError('FailedToParse', message)
    }
    compiled.set(identifier, compileFilter(filter, options.variables))
  }
  return compiled
}

function filterPaths(filter: Document): string[] {
  return Object.entries(filter).flatMap(([key, value]) =>
    key.startsWith('$') && Array.isArray(value) ? value.flatMap((branch) => filterPaths(branch)) : [key],
  )
}

function requireOperators(update: Document): void {
  const paths: string[] = []
  for (const [operator, changes] of Object.entries(update)) {
    requireOperator(operator, changes)
    if (isDocument(changes)) paths.push(...Object.keys(changes))
  }
  paths.forEach(requirePath)
  refuseConflicts(paths)
}

function requireOperator(operator: string, changes: unknown): void {
  if (!(operator in updateOperators) && operator !== '$setOnInsert') {
    throw new CommandError(
      'FailedToParse',
      `Unknown modifier: ${operator}. Expected a valid update modifier; ${unsupportedHere}`,
    )
  }
  if (!isDocument(changes)) {
    const message = `Modifiers operate on fields but we found type ${typeName(changes)} instead: {${operator}: ${showValue(changes)}}`
    throw new CommandError('FailedToParse', message)
  }
}

function requirePath(path: string): void {
  if (path.split('.').includes('')) {
    throw new CommandError(
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    )
  }
}

/** Two changes to one path, or to a path and one below it, have no defined outcome, so MongoDB refuses them. */
function refuseConflicts(paths: string[]): void {
  const seen = new Set<string>()
  for (const path of paths) {
    if (seen.has(path)) throw conflict(path, path)
    seen.add(path)
  }
  for (const path of seen) {
    for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      const parent = path.slice(0, dot)
      if (seen.has(parent)) throw conflict(path, parent)
    }
  }
}

function conflict(path: string, other: string): CommandError {
  const message = `Updating the path '${path}' would create a conflict at '${other}'`
  return new CommandError('ConflictingUpdateOperators', message)
}

function immutableId(): CommandError {
  const message = "Performing an update on the path '_id' would modify the immutable field '_id'"
  return new CommandError('ImmutableField', message)
}

/** Returns the fields that a filter fixes to one value, which an upsert adopts. */
function filterEqualities(filter: Document, target: Document): Document {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(value)) for (const branch of value) filterEqualities(branch, target)
    else if (key === '$or' && Array.isArray(value) && value.length === 1) filterEqualities(value[0], target)
    else if (!key.startsWith('$')) setEquality(target, key, value)
  }
  return target
}

function setEquality(target: Document, path: string, condition: unknown): void {
  const fixed = isOperatorDocument(condition) ? fixedValue(condition) : condition
  if (fixed === undefined || typeName(fixed) === 'regex') return
  putAt(makePlace(target, path.split('.')), fixed)
}

function fixedValue(operators: Document): unknown {
  if ('$eq' in operators) return operators.$eq
  for (const list of [operators.$all, operators.$in]) if (Array.isArray(list) && list.length === 1) return list[0]
  return undefined
}
