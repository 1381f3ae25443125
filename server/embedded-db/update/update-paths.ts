import { CommandError, badValue } from '../errors.ts'
import type { Predicate } from '../query/match.ts'
import { isArrayIndex } from '../query/paths.ts'
import { isContainer, isDocument, setField, showValue, type Document } from '../bson/values.ts'

const maxArrayPadding = 1_500_000

/** The context in which the positional parts of an update path are resolved. */
export interface PathContext {
  /** Returns the index of the array element that the filter matched, for `$`. */
  positionalIndex(arrayPath: string, array: unknown[]): number
  /** Predicates of `arrayFilters` by identifier, for `$[identifier]`; each tests `{ identifier: element }`. */
  arrayFilters: ReadonlyMap<string, Predicate>
}

/** Resolves `$`, `$[]` and `$[identifier]` in a path to the concrete paths in this document. */
export function expandPath(document: Document, parts: readonly string[], context: PathContext): string[][] {
  const found: string[][] = []
  walk(document, 0, [])
  return found

  function walk(node: unknown, depth: number, prefix: string[]): void {
    const part = parts[depth]
    if (part === undefined) {
      found.push(prefix)
    } else if (part === '$') {
      const index = positional(node, prefix)
      walk(Array.isArray(node) ? node[index] : undefined, depth + 1, [...prefix, String(index)])
    } else if (part.startsWith('$[')) {
      walkElements(arrayAt(node, prefix), part.slice(2, -1), depth, prefix)
    } else {
      walk(childOf(node, part), depth + 1, [...prefix, part])
    }
  }

  function positional(node: unknown, prefix: string[]): number {
    if (!Array.isArray(node)) throw noPositionalMatch()
    return context.positionalIndex(prefix.filter((part) => !isArrayIndex(part)).join('.'), node)
  }

  function walkElements(array: unknown[], identifier: string, depth: number, prefix: string[]): void {
    const test = identifier === '' ? () => true : context.arrayFilters.get(identifier)
    if (!test) throw badValue(`No array filter found for identifier '${identifier}' in path '${parts.join('.')}'`)
    for (const [index, element] of array.entries()) {
      if (test({ [identifier]: element })) walk(element, depth + 1, [...prefix, String(index)])
    }
  }
}

export function noPositionalMatch(): CommandError {
  return badValue('The positional operator did not find the match needed from the query.')
}

function arrayAt(node: unknown, prefix: string[]): unknown[] {
  if (Array.isArray(node)) return node
  const path = prefix.join('.')
  if (node === undefined)
    throw badValue(`The path '${path}' must exist in the document in order to apply array updates.`)
  throw badValue(`Cannot apply array updates to non-array element ${path}`)
}

/** Returns an own field or array element; undefined when there is none. */
export function childOf(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return isArrayIndex(key) ? node[Number(key)] : undefined
  return isDocument(node) && Object.hasOwn(node, key) ? node[key] : undefined
}

/** The location of a concrete path: its container and the last part. */
export interface Place {
  container: Document | unknown[]
  key: string
}

/** Finds a location; undefined when its path does not exist. */
export function findPlace(document: Document, parts: readonly string[]): Place | undefined {
  let node: unknown = document
  for (const part of parts.slice(0, -1)) node = childOf(node, part)
  const key = parts.at(-1) ?? ''
  if (!isContainer(node) || (Array.isArray(node) && !isArrayIndex(key))) return undefined
  return { container: node, key }
}

/** Finds or creates a location. @throws PathNotViable when a scalar is in the way. */
export function makePlace(document: Document, parts: readonly string[]): Place {
  let node: Document | unknown[] = document
  for (const [depth, part] of parts.entries()) {
    requireField(node, part, parts[depth - 1])
    if (depth === parts.length - 1) break
    let child = childOf(node, part)
    if (child === undefined) {
      child = {}
      putAt({ container: node, key: part }, child)
    }
    if (!isContainer(child)) throw notViable(parts[depth + 1], part, child)
    node = child
  }
  return { container: node, key: parts.at(-1) ?? '' }
}

function requireField(node: Document | unknown[], part: string, parent: string | undefined): void {
  if (Array.isArray(node) && !isArrayIndex(part)) throw notViable(part, parent, node)
}

function notViable(part: string | undefined, parent: string | undefined, value: unknown): CommandError {
  return new CommandError('PathNotViable', `Cannot create field '${part}' in element {${parent}: ${showValue(value)}}`)
}

export function valueAt({ container, key }: Place): unknown {
  return childOf(container, key)
}

/** Writes a value; an array is extended with nulls up to the index. */
export function putAt({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) {
    setField(container, key, value)
    return
  }
  const index = Number(key)
  if (index > container.length + maxArrayPadding) throw badValue('the array index is too large')
  while (container.length < index) container.push(null)
  container[index] = value
}

/** Removes a field; an array element becomes null. */
export function removeAt({ container, key }: Place): void {
  if (!Array.isArray(container)) delete container[key]
  else if (Number(key) < container.length) container[Number(key)] = null
}
