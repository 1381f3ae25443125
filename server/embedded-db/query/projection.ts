import { CommandError, badValue, unsupported } from '../errors.ts'
import { isTruthy } from './expression-operators.ts'
import { compileExpression, type Expression, type Variables } from './expression.ts'
import { elementTest } from './match.ts'
import { positionalElement } from '../update/positional.ts'
import {
  isContainer,
  isDocument,
  isNumber,
  isOperatorDocument,
  setField,
  toNumeric,
  type Document,
} from '../bson/values.ts'

/** Projects a document; never changes the source. */
export type Projection = (document: Document) => Document

/** The projection of a field: kept or left out, computed, or (for arrays) reduced to some elements. */
type Leaf = { include: boolean } | { compute: Expression } | { reduce: (value: unknown) => unknown }
type Tree = Map<string, Tree | Leaf>

interface ProjectionOptions {
  variables: Variables
  /** The filter of a find, to which the positional `$` refers. */
  filter?: Document
}

/** Compiles a projection of find, findAndModify and `$project`. */
export function compileProjection(specification: Document, options: ProjectionOptions): Projection {
  const tree: Tree = new Map()
  const parser = { isInclusion: undefined as boolean | undefined, idShown: undefined as boolean | undefined, options }
  parse(specification, '', tree, parser)
  const isInclusion = parser.isInclusion ?? (parser.idShown === true && tree.size === 0)
  const idRule = parser.idShown ?? true
  if (isInclusion === idRule && !tree.has('_id')) tree.set('_id', { include: idRule })
  return shaper(tree, isInclusion ? 'include' : 'exclude', options.variables)
}

/** Compiles `$set` / `$addFields`: every value is an expression; dotted paths reach into documents and arrays. */
export function compileSetFields(specification: Document, variables: Variables): Projection {
  const tree: Tree = new Map()
  for (const [path, value] of leaves(specification, ''))
    insert(tree, path, { compute: compileExpression(value, variables) })
  return shaper(tree, 'set', variables)
}

function* leaves(specification: Document, prefix: string): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(specification)) {
    if (isNestedSpecification(value)) yield* leaves(value, `${prefix}${key}.`)
    else yield [prefix + key, value]
  }
}

function isNestedSpecification(value: unknown): value is Document {
  return isDocument(value) && Object.keys(value).length > 0 && !isOperatorDocument(value)
}

function shaper(tree: Tree, mode: Mode, variables: Variables): Projection {
  return (document) => {
    const shaped = shape(document, tree, { mode, root: document, variables })
    return isDocument(shaped) ? idFirst(shaped) : {}
  }
}

interface Parser {
  isInclusion: boolean | undefined
  idShown: boolean | undefined
  options: ProjectionOptions
}

function parse(specification: Document, prefix: string, tree: Tree, parser: Parser): void {
  for (const [key, value] of Object.entries(specification)) {
    const path = prefix + key
    if (isNestedSpecification(value)) parse(value, `${path}.`, tree, parser)
    else if (path === '_id' && isSwitch(value)) parser.idShown = isTruthy(value)
    else if (path.endsWith('.$')) addPositional(path.slice(0, -2), tree, parser)
    else addLeaf(path, value, tree, parser)
  }
}

function isSwitch(value: unknown): boolean {
  return typeof value === 'boolean' || isNumber(value)
}

function addLeaf(path: string, value: unknown, tree: Tree, parser: Parser): void {
  if (isSwitch(value)) {
    setMode(parser, path, isTruthy(value))
    insert(tree, path, { include: isTruthy(value) })
    return
  }
  if (isDocument(value) && '$meta' in value) throw unsupported('$meta')
  if (isDocument(value) && '$elemMatch' in value && parser.options.filter)
    return addElemMatch(path, value, tree, parser)
  if (isDocument(value) && '$slice' in value && parser.options.filter && !isExpressionSlice(value.$slice)) {
    insert(tree, path, { reduce: slicer(value.$slice) })
    return
  }
  setMode(parser, path, true)
  insert(tree, path, { compute: compileExpression(value, parser.options.variables) })
}

function setMode(parser: Parser, path: string, isInclusion: boolean): void {
  parser.isInclusion ??= isInclusion
  if (parser.isInclusion === isInclusion) return
  const [asked, mode] = isInclusion ? ['inclusion', 'exclusion'] : ['exclusion', 'inclusion']
  throw new CommandError('Location31254', `Cannot do ${asked} on field ${path} in ${mode} projection`)
}

function addElemMatch(path: string, value: Document, tree: Tree, parser: Parser): void {
  if (!isDocument(value.$elemMatch)) throw badValue('elemMatch: Invalid argument, object required')
  setMode(parser, path, true)
  const test = elementTest(value.$elemMatch, parser.options.variables)
  insert(tree, path, {
    reduce: (value) => {
      const hit = Array.isArray(value) ? value.find(test) : undefined
      return hit === undefined ? undefined : [hit]
    },
  })
}

function addPositional(path: string, tree: Tree, parser: Parser): void {
  setMode(parser, path, true)
  const { filter = {}, variables } = parser.options
  insert(tree, path, {
    reduce: (value) => {
      if (!Array.isArray(value)) return value
      const index = positionalElement(filter, path, value, variables)
      if (index !== undefined) return [value[index]]
      const message = "positional operator '.$' couldn't find a matching element in the array"
      throw new CommandError('Location51246', message)
    },
  })
}

/** `{ $slice: ['$field', 3] }` is the expression, `{ $slice: [skip, limit] }` the projection. */
function isExpressionSlice(argument: unknown): boolean {
  return Array.isArray(argument) && !isNumber(argument[0])
}

function slicer(argument: unknown): (value: unknown) => unknown {
  const [first = 0, count] = [argument].flat().map((part) => (isNumber(part) ? Number(toNumeric(part)) : Number.NaN))
  if (Number.isNaN(first) || Number.isNaN(count)) throw badValue('$slice takes one or two whole numbers')
  return (value) => {
    if (!Array.isArray(value)) return value
    if (count === undefined) return first < 0 ? value.slice(first) : value.slice(0, first)
    const start = first < 0 ? Math.max(0, value.length + first) : first
    return value.slice(start, start + count)
  }
}

function insert(tree: Tree, path: string, leaf: Leaf): void {
  const parts = path.split('.')
  let node = tree
  for (const part of parts.slice(0, -1)) {
    const child = node.get(part)
    if (child && !(child instanceof Map)) throw new CommandError('Location31249', `Path collision at ${path}`)
    const next: Tree = child ?? new Map()
    node.set(part, next)
    node = next
  }
  const last = parts.at(-1) ?? ''
  if (node.has(last)) throw new CommandError('Location31249', `Path collision at ${path}`)
  node.set(last, leaf)
}

/** include: only the named fields; exclude: all but those; set: all fields, creating the named ones if missing. */
type Mode = 'include' | 'exclude' | 'set'

interface Shaping {
  mode: Mode
  root: Document
  variables: Variables
}

function shape(node: unknown, tree: Tree, shaping: Shaping): unknown {
  if (Array.isArray(node)) {
    const elements = shaping.mode === 'include' ? node.filter(isContainer) : node
    return elements.map((element) => shape(element, tree, shaping))
  }
  if (!isDocument(node)) return shaping.mode === 'set' ? shape({}, tree, shaping) : node
  const result: Document = {}
  for (const [key, value] of Object.entries(node)) {
    const kept = keep(value, tree.get(key), shaping)
    if (kept !== undefined) setField(result, key, kept)
  }
  addComputed(node, tree, result, shaping)
  return result
}

/** Returns the projected value of a field; undefined when it is left out. */
function keep(value: unknown, rule: Tree | Leaf | undefined, shaping: Shaping): unknown {
  if (rule === undefined) return shaping.mode === 'include' ? undefined : value
  if (rule instanceof Map) {
    return isContainer(value) || shaping.mode !== 'include' ? shape(value, rule, shaping) : undefined
  }
  if ('include' in rule) return rule.include ? value : undefined
  if ('compute' in rule) return rule.compute({ root: shaping.root, variables: shaping.variables })
  return rule.reduce(value)
}

function addComputed(node: Document, tree: Tree, result: Document, shaping: Shaping): void {
  for (const [key, rule] of tree) {
    if (Object.hasOwn(node, key)) continue
    if (rule instanceof Map) {
      if (!hasComputed(rule)) continue
      setField(result, key, shape({}, rule, shaping))
    } else if ('compute' in rule) {
      const value = rule.compute({ root: shaping.root, variables: shaping.variables })
      if (value !== undefined) setField(result, key, value)
    }
  }
}

function hasComputed(tree: Tree): boolean {
  return [...tree.values()].some((rule) => (rule instanceof Map ? hasComputed(rule) : 'compute' in rule))
}

/** Puts `_id` first, as MongoDB does regardless of the order in the projection. */
function idFirst(document: Document): Document {
  if (!('_id' in document) || Object.keys(document)[0] === '_id') return document
  const { _id, ...rest } = document
  return { _id, ...rest }
}
