import { compilePipeline } from '../query/aggregate-stages.ts'
import { encode } from '../bson/bson-codec.ts'
import {
  arrayOption,
  collectionName,
  documentOption,
  documentsOption,
  numberOption,
  type Command,
  type CommandContext,
} from './command.ts'
import { CommandError } from '../errors.ts'
import { encodeKey } from '../storage/index-keys.ts'
import { toInteger } from '../bson/numbers.ts'
import { indexValues, emptyArray } from '../query/paths.ts'
import { compileProjection } from '../query/projection.ts'
import { findInCollection, findInSteps, type Query } from '../query/query.ts'
import type { Steps } from '../steps.ts'
import type { FoundDocument } from '../storage/store.ts'
import { decodeStored } from '../storage/stored-document.ts'
import { currentCollection } from './write-statements.ts'
import { isDocument, isNumber, toNumeric, type Document } from '../bson/values.ts'

const find: Command = {
  isWrite: false,
  options: [
    'filter',
    'projection',
    'sort',
    'hint',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    'let',
    'noCursorTimeout',
    'allowDiskUse',
  ],
  *run(context) {
    const { command, variables, store } = context
    const filter = documentOption(command, 'filter') ?? {}
    const limit = numberOption(command, 'limit') ?? 0
    const found = yield* runQuery(context, { filter, limit: Math.abs(limit) })
    const projection = documentOption(command, 'projection')
    const hasShape = projection !== undefined && Object.keys(projection).length > 0
    const shape = hasShape ? compileProjection(projection, { filter, variables }) : undefined
    const present = (body: Uint8Array) => (shape ? encode(shape(decodeStored(body))) : body)
    const collection = store.catalog.find(context.database, collectionName(command))
    const documents = found.map(({ row, body }) => {
      if (body) return present(body)
      // A large result is reread batch by batch: only the positions of its documents are kept in memory, not their bodies.
      return () => {
        const current = collection && currentCollection(store, collection)
        const stored = current && store.read(current, row)
        return stored && present(stored.body)
      }
    })
    const isSingle = command.singleBatch === true || limit < 0
    const namespace = `${context.database}.${collectionName(command)}`
    return context.cursors.open(namespace, documents, { batchSize: numberOption(command, 'batchSize'), isSingle })
  },
}

/** Decodes the documents found, without those removed in the meantime. */
function* documentsOf(
  { command, database, store }: CommandContext,
  found: FoundDocument[],
): Generator<Document, void, undefined> {
  const collection = store.catalog.find(database, collectionName(command))
  for (const { row, body } of found) {
    const stored = body ?? (collection && store.read(collection, row)?.body)
    if (stored) yield decodeStored(stored)
  }
}

/** Runs the filter, sort, skip and limit of a command; a missing collection is empty. */
function* runQuery(
  context: CommandContext,
  { filter, limit }: { filter: Document; limit: number },
): Steps<FoundDocument[]> {
  const { command, store, variables, deadline } = context
  const skip = numberOption(command, 'skip') ?? 0
  if (skip < 0) throw new CommandError('Location51024', `BSON field 'skip' value must be >= 0, actual value '${skip}'`)
  const query: Query = {
    filter,
    sort: documentOption(command, 'sort'),
    skip,
    limit,
    hint: command.hint,
    variables,
    deadline,
  }
  const collection = store.catalog.find(context.database, collectionName(command))
  return yield* findInCollection(store, collection, query)
}

const count: Command = {
  isWrite: false,
  options: ['query', 'skip', 'limit', 'hint', 'fields'],
  *run(context) {
    const filter = documentOption(context.command, 'query') ?? {}
    const limit = Math.abs(numberOption(context.command, 'limit') ?? 0)
    const isPlain = Object.keys(filter).length === 0 && limit === 0 && !context.command.skip
    if (isPlain) return { n: toInteger(countAll(context)), ok: 1 }
    const found = yield* runQuery(context, { filter, limit })
    return { n: toInteger(found.length), ok: 1 }
  },
}

function countAll({ command, database, store }: CommandContext): number {
  const collection = store.catalog.find(database, collectionName(command))
  return collection ? store.count(collection) : 0
}

const distinct: Command = {
  isWrite: false,
  options: ['key', 'query', 'hint'],
  *run(context) {
    const filter = documentOption(context.command, 'query') ?? {}
    const parts = String(context.command.key).split('.')
    const values = new Map<string, unknown>()
    for (const document of documentsOf(context, yield* runQuery(context, { filter, limit: 0 }))) {
      for (const value of indexValues(document, parts)) {
        if (value !== undefined && value !== emptyArray) values.set(encodeKey(value).toString('latin1'), value)
      }
    }
    const ordered = [...values].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return { values: ordered.map(([, value]) => value), ok: 1 }
  },
}

const aggregate: Command = {
  isWrite: false,
  options: ['pipeline', 'cursor', 'hint', 'let', 'allowDiskUse', 'bypassDocumentValidation'],
  *run(context) {
    const { command, database, cursors } = context
    if (!isDocument(command.cursor)) {
      throw new CommandError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      )
    }
    const found = yield* runPipeline(context)
    const documents = found.map((document) => encode(document))
    const namespace = `${database}.${collectionName(command)}`
    return cursors.open(namespace, documents, { batchSize: numberOption(command.cursor, 'batchSize') })
  },
}

/** Runs the pipeline on one collection, then adds the documents of the collections named by its `$unionWith` stages. */
function* runPipeline(context: CommandContext): Steps<Document[]> {
  const { own, unions } = splitAtUnions(documentsOption(context.command, 'pipeline'))
  const later = unions.map(({ source, rest }) => ({ source, stages: compilePipeline(rest, context.variables) }))
  let documents = yield* runOwnStages(context, own)
  for (const { source, stages } of later)
    documents = stages([...documents, ...(yield* runPipeline({ ...context, command: source }))])
  return documents
}

interface Union {
  /** The aggregation whose documents are added. */
  source: Document
  /** Stages after it, up to the next union. */
  rest: Document[]
}

/** Splits a pipeline into the stages before its first `$unionWith`, and each `$unionWith` with the stages that follow it. */
export function splitAtUnions(pipeline: Document[]): { own: Document[]; unions: Union[] } {
  const own: Document[] = []
  const unions: Union[] = []
  for (const stage of pipeline) {
    if (Object.keys(stage).join() === '$unionWith') unions.push({ source: unionSource(stage.$unionWith), rest: [] })
    else (unions.at(-1)?.rest ?? own).push(stage)
  }
  return { own, unions }
}

function unionSource(argument: unknown): Document {
  const { coll, pipeline = [], ...others } = isDocument(argument) ? argument : {}
  if (typeof coll !== 'string' || !Array.isArray(pipeline) || Object.keys(others).length > 0) {
    throw new CommandError('FailedToParse', 'the $unionWith specification must have the fields coll and pipeline')
  }
  return { aggregate: coll, pipeline }
}

function* runOwnStages(context: CommandContext, pipeline: Document[]): Steps<Document[]> {
  const { command, database, store, variables, deadline } = context
  const { query, rest } = pipelineQuery(pipeline)
  const stages = compilePipeline(rest, variables)
  compilePipeline(pipeline, variables)
  const collection = store.catalog.find(database, collectionName(command))
  if (!collection) return stages([])
  const { filter = {}, ...limits } = query
  if (Object.keys(filter).length === 0 && Object.keys(limits).length === 0 && isPlainCount(rest)) {
    const total = store.count(collection)
    return total > 0 ? [{ _id: 1, n: toInteger(total) }] : []
  }
  const found = yield* findInSteps(store, collection, {
    filter: {},
    ...query,
    hint: command.hint,
    variables,
    deadline,
  })
  return stages([...documentsOf(context, found)])
}

/** Returns the first stages of a pipeline that the planner can run: match, sort, skip and limit in this order. */
export function pipelineQuery(pipeline: Document[]): {
  query: Partial<Pick<Query, 'filter' | 'sort' | 'skip' | 'limit'>>
  rest: Document[]
} {
  const rest = [...pipeline]
  const query: Partial<Query> = {}
  if (isDocument(rest[0]?.$match)) query.filter = rest.shift()?.$match as Document // checked in the condition
  if (isDocument(rest[0]?.$sort)) query.sort = rest.shift()?.$sort as Document // checked in the condition
  if (isNumber(rest[0]?.$skip)) query.skip = countValue(rest.shift()?.$skip)
  if (isNumber(rest[0]?.$limit)) query.limit = countValue(rest.shift()?.$limit)
  return { query, rest }
}

function countValue(value: unknown): number {
  return isNumber(value) ? Number(toNumeric(value)) : 0
}

/** Returns whether the pipeline is countDocuments({}) as drivers send it. */
function isPlainCount(pipeline: Document[]): boolean {
  const [stage, ...others] = pipeline
  if (others.length > 0 || !isDocument(stage?.$group)) return false
  const { _id, n, ...rest } = stage.$group
  return _id === 1 && isDocument(n) && n.$sum === 1 && Object.keys(n).length === 1 && Object.keys(rest).length === 0
}

const getMore: Command = {
  isWrite: false,
  options: ['collection', 'batchSize'],
  run({ command, database, cursors }) {
    const id = cursorId(command.getMore)
    return cursors.next(id, `${database}.${String(command.collection)}`, numberOption(command, 'batchSize'))
  },
}

const killCursors: Command = {
  isWrite: false,
  options: ['cursors'],
  run({ command, cursors }) {
    const killed: bigint[] = []
    const unknown: bigint[] = []
    for (const value of arrayOption(command, 'cursors')) {
      const id = cursorId(value)
      if (cursors.kill(id)) killed.push(id)
      else unknown.push(id)
    }
    return { cursorsKilled: killed, cursorsNotFound: unknown, cursorsAlive: [], cursorsUnknown: [], ok: 1 }
  },
}

function cursorId(value: unknown): bigint {
  if (!isNumber(value)) throw new CommandError('TypeMismatch', 'a cursor id must be a 64-bit integer')
  return BigInt(toNumeric(value))
}

export const readCommands = { find, count, distinct, aggregate, getMore, killCursors }
