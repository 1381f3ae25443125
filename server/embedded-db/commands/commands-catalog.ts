import { BSONRegExp } from 'bson'
import { encode } from '../bson/bson-codec.ts'
import { idIndex, type Collection, type Index } from '../storage/catalog.ts'
import { collectionName, documentOption, documentsOption, type Command, type CommandContext } from './command.ts'
import { CommandError, unsupported } from '../errors.ts'
import { compileFilter } from '../query/match.ts'
import { equalValues, isDocument, isNumber, showValue, toNumeric, type Document } from '../bson/values.ts'

/** Options of createIndexes; `v`, `background` and `ns` have no effect in MongoDB either. */
export const indexOptions = new Set([
  'key',
  'name',
  'v',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'background',
  'ns',
])
const partialOperators = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$exists', '$type', '$in'])

const createIndexes: Command = {
  isWrite: true,
  options: ['indexes', 'commitQuorum'],
  run({ command, database, store }) {
    const name = collectionName(command)
    const isNew = store.catalog.find(database, name) === undefined
    const collection = store.catalog.ensure(database, name)
    const before = collection.indexes.length
    for (const asked of documentsOption(command, 'indexes')) {
      const specification = indexSpecification(asked)
      if (!existingIndex(collection, specification)) store.createIndex(collection, specification)
    }
    const after = collection.indexes.length
    const note = before === after ? { note: 'all indexes already exist' } : {}
    return { numIndexesBefore: before, numIndexesAfter: after, createdCollectionAutomatically: isNew, ...note, ok: 1 }
  },
}

/** Returns the specification to store: validated, named, without options that have no effect. */
function indexSpecification(asked: Document): Document {
  const { v: _v, background: _background, ns: _ns, ...kept } = asked
  const key = isDocument(asked.key) ? asked.key : {}
  for (const option of Object.keys(asked))
    if (!indexOptions.has(option)) throw unsupported(`the index option '${option}'`)
  requireKeyPattern(key)
  if (asked.expireAfterSeconds !== undefined) requireTtl(asked, key)
  if (asked.partialFilterExpression !== undefined) requirePartialFilter(asked.partialFilterExpression)
  const name = typeof asked.name === 'string' ? asked.name : defaultName(key)
  return { v: 2, ...kept, key, name }
}

function requireKeyPattern(key: Document): void {
  const fields = Object.entries(key)
  if (fields.length === 0) throw new CommandError('CannotCreateIndex', 'Index keys cannot be an empty object.')
  for (const [path, direction] of fields) {
    if (typeof direction === 'string') throw unsupported(`the index type '${direction}'`)
    if (path.includes('$**')) throw unsupported('a wildcard index')
    if (!isNumber(direction) || Number(toNumeric(direction)) === 0) {
      throw new CommandError('CannotCreateIndex', 'Values in the index key pattern must be non-zero numbers')
    }
  }
}

function requireTtl({ expireAfterSeconds }: Document, key: Document): void {
  if (Object.keys(key).length !== 1 || '_id' in key) {
    const message = 'TTL indexes are single-field indexes, compound indexes and _id do not support TTL'
    throw new CommandError('CannotCreateIndex', message)
  }
  if (!isNumber(expireAfterSeconds) || Number(toNumeric(expireAfterSeconds)) < 0) {
    throw new CommandError('CannotCreateIndex', 'TTL index expireAfterSeconds must be a number of at least 0')
  }
}

function requirePartialFilter(filter: unknown): void {
  if (!isDocument(filter)) throw new CommandError('CannotCreateIndex', 'partialFilterExpression must be an object')
  for (const [path, condition] of Object.entries(filter)) {
    const operators = isDocument(condition) ? Object.keys(condition) : []
    const wrong = [path, ...operators].find((name) => name.startsWith('$') && !partialOperators.has(name))
    const isAbsence = isDocument(condition) && condition.$exists === false
    if (wrong || isAbsence || condition instanceof BSONRegExp) {
      throw new CommandError('CannotCreateIndex', `Expression not supported in partial index: ${wrong ?? path}`)
    }
  }
  compileFilter(filter, {})
}

function defaultName(key: Document): string {
  return Object.entries(key)
    .map(([path, direction]) => `${path}_${String(direction)}`)
    .join('_')
}

/** Returns the existing index with this specification. @throws when one of the same name or key differs. */
function existingIndex(collection: Collection, specification: Document): Index | undefined {
  if (equalValues(specification.key, idIndex.key)) return collection.indexes[0]
  const sameName = collection.indexes.find((index) => index.name === specification.name)
  if (sameName) {
    if (isSameIndex(sameName.specification, specification)) return sameName
    throw new CommandError(
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index. Requested index: ${showValue(specification)}, existing index: ${showValue(sameName.specification)}`,
    )
  }
  const sameKey = collection.indexes.find(
    (index) =>
      equalValues(index.key, specification.key) &&
      equalValues(index.partialFilter ?? null, specification.partialFilterExpression ?? null),
  )
  if (!sameKey) return undefined
  throw new CommandError('IndexOptionsConflict', `Index already exists with a different name: ${sameKey.name}`)
}

function isSameIndex(a: Document, b: Document): boolean {
  const options = ['key', 'partialFilterExpression', 'expireAfterSeconds']
  const flags = ['unique', 'sparse']
  return (
    options.every((option) => equalValues(a[option] ?? null, b[option] ?? null)) &&
    flags.every((flag) => (a[flag] === true) === (b[flag] === true))
  )
}

const listIndexes: Command = {
  isWrite: false,
  options: ['cursor'],
  run(context) {
    const collection = requireCollection(context)
    const specifications = collection.indexes.map((index) => encode(index.specification))
    return context.cursors.open(`${context.database}.${collection.name}`, specifications, {})
  },
}

function requireCollection({ command, database, store }: CommandContext): Collection {
  const name = collectionName(command)
  const collection = store.catalog.find(database, name)
  if (collection) return collection
  throw new CommandError('NamespaceNotFound', `ns does not exist: ${database}.${name}`)
}

const dropIndexes: Command = {
  isWrite: true,
  isExclusive: true,
  options: ['index'],
  run(context) {
    const collection = requireCollection(context)
    const before = collection.indexes.length
    for (const index of indexesToDrop(collection, context.command.index)) {
      if (index.name === '_id_') throw new CommandError('InvalidOptions', 'cannot drop _id index')
      context.store.catalog.dropIndex(collection, index)
    }
    return { nIndexesWas: before, ok: 1 }
  },
}

function indexesToDrop(collection: Collection, asked: unknown): Index[] {
  if (asked === '*') return collection.indexes.slice(1)
  return [asked].flat().map((wanted) => {
    const found = collection.indexes.find((index) => index.name === wanted || equalValues(index.key, wanted))
    if (found) return found
    throw new CommandError('IndexNotFound', `index not found with name [${showValue(wanted)}]`)
  })
}

const create: Command = {
  isWrite: true,
  options: ['autoIndexId'],
  run({ command, database, store }) {
    const name = collectionName(command)
    if (store.catalog.find(database, name)) return { ok: 1 }
    store.catalog.ensure(database, name)
    return { ok: 1 }
  },
}

const drop: Command = {
  isWrite: true,
  isExclusive: true,
  options: [],
  run({ command, database, store }) {
    const name = collectionName(command)
    const collection = store.catalog.find(database, name)
    if (!collection) return { ok: 1 }
    const nIndexesWas = collection.indexes.length
    store.catalog.drop(collection)
    return { nIndexesWas, ns: `${database}.${name}`, ok: 1 }
  },
}

const dropDatabase: Command = {
  isWrite: true,
  isExclusive: true,
  options: [],
  run({ database, store }) {
    for (const collection of store.catalog.all()) if (collection.database === database) store.catalog.drop(collection)
    return { dropped: database, ok: 1 }
  },
}

const listCollections: Command = {
  isWrite: false,
  options: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  run(context) {
    const { command, database, store, cursors, variables } = context
    const matches = compileFilter(documentOption(command, 'filter') ?? {}, variables)
    const entries = store.catalog
      .all()
      .filter((collection) => collection.database === database)
      .map(({ name }) => ({ name, type: 'collection', options: {}, info: { readOnly: false }, idIndex }))
      .filter(matches)
      .map((entry) => encode(command.nameOnly === true ? { name: entry.name, type: entry.type } : entry))
    return cursors.open(`${database}.$cmd.listCollections`, entries, {})
  },
}

const listDatabases: Command = {
  isWrite: false,
  options: ['filter', 'nameOnly', 'authorizedDatabases'],
  run({ command, store, variables }) {
    const matches = compileFilter(documentOption(command, 'filter') ?? {}, variables)
    const names = new Set(store.catalog.all().map((collection) => collection.database))
    const databases = [...names]
      .toSorted()
      .map((name) => ({ name, sizeOnDisk: 1, empty: false }))
      .filter(matches)
    if (command.nameOnly === true) return { databases: databases.map(({ name }) => ({ name })), ok: 1 }
    return { databases, totalSize: databases.length, ok: 1 }
  },
}

export const catalogCommands = {
  createIndexes,
  listIndexes,
  dropIndexes,
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
}
