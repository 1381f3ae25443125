import { Collection, Db, MongoClient, type AggregationCursor, type AnyClientBulkWriteModel } from 'mongodb'
import type { Fields, Operation } from './spec-file.ts'

/** Thrown for anything that this runner does not support; the test is then skipped with the reason. */
export class SkipError extends Error {}

/** Runs a client's bulkWrite, for which the driver takes the models as `{name, ...arguments}`. */
async function clientBulkWrite(client: MongoClient, { models, ...options }: Fields): Promise<unknown> {
  const list = Array.isArray(models) ? models.flatMap((model: Fields) => Object.entries(model)) : []
  // The test file holds models of the shapes that the driver's types describe.
  const named = list.map(([name, fields]) => ({ name, ...(fields as object) })) as AnyClientBulkWriteModel<Fields>[]
  return client.bulkWrite(named, options)
}

type Method = (...args: unknown[]) => unknown

/** Runs one operation of a test through the driver. */
export async function runOperation(
  operation: Operation,
  entities: ReadonlyMap<string, unknown>,
  admin: MongoClient,
): Promise<unknown> {
  const target = entities.get(operation.object)
  const args = { ...operation.arguments }
  if (typeof args.session === 'string') args.session = entities.get(args.session)
  if (operation.object === 'testRunner') return assertion(operation.name, args, admin)
  const { name } = operation
  if (name === 'clientBulkWrite' && target instanceof MongoClient) return clientBulkWrite(target, args)
  const positional = positionalArguments[name]
  if (!positional) throw new SkipError(`the operation ${name}`)
  if (!(target instanceof Collection || target instanceof Db || target instanceof MongoClient)) {
    throw new SkipError(`an operation on ${operation.object}`)
  }
  if (name === 'bulkWrite' && !(target instanceof Collection)) throw new SkipError('the bulkWrite command of a client')
  const method = methodOf(target, methodNames[name] ?? name)
  const result = await method(...positional.map((key) => args[key]), options(args, positional))
  return isCursor(result) ? result.toArray() : result
}

/** Arguments that the driver takes by position; the rest are options. */
const positionalArguments: Readonly<Record<string, readonly string[]>> = {
  insertOne: ['document'],
  insertMany: ['documents'],
  find: ['filter'],
  findOne: ['filter'],
  aggregate: ['pipeline'],
  updateOne: ['filter', 'update'],
  updateMany: ['filter', 'update'],
  replaceOne: ['filter', 'replacement'],
  deleteOne: ['filter'],
  deleteMany: ['filter'],
  findOneAndUpdate: ['filter', 'update'],
  findOneAndReplace: ['filter', 'replacement'],
  findOneAndDelete: ['filter'],
  countDocuments: ['filter'],
  estimatedDocumentCount: [],
  count: ['filter'],
  distinct: ['fieldName', 'filter'],
  bulkWrite: ['requests'],
  createIndex: ['keys'],
  createIndexes: ['models'],
  createCollection: ['collection'],
  dropCollection: ['collection'],
  dropIndex: ['name'],
  listCollections: ['filter'],
  listIndexes: [],
  runCommand: ['command'],
}

const methodNames: Readonly<Record<string, string>> = { runCommand: 'command' }

function methodOf(target: object, name: string): Method {
  const method: unknown = Reflect.get(target, name)
  if (typeof method !== 'function') throw new SkipError(`the operation ${name} on ${target.constructor.name}`)
  return (...args) => Reflect.apply(method, target, args) as unknown // whatever the driver's method returns
}

function options(args: Fields, positional: readonly string[]): Fields {
  const rest = Object.fromEntries(Object.entries(args).filter(([key]) => !positional.includes(key)))
  if (typeof rest.returnDocument === 'string') rest.returnDocument = rest.returnDocument.toLowerCase()
  return rest
}

function isCursor(result: unknown): result is AggregationCursor {
  return typeof result === 'object' && result !== null && 'toArray' in result
}

async function assertion(name: string, args: Fields, admin: MongoClient): Promise<void> {
  const database = admin.db(String(args.databaseName))
  const collection = String(args.collectionName)
  if (name === 'assertCollectionExists' || name === 'assertCollectionNotExists') {
    const found = await database.listCollections({ name: collection }).toArray()
    assertThat(found.length > 0 === (name === 'assertCollectionExists'), name)
  } else if (name === 'assertIndexExists' || name === 'assertIndexNotExists') {
    const indexes = await database.collection(collection).listIndexes().toArray()
    const isThere = indexes.some((index) => index.name === args.indexName)
    assertThat(isThere === (name === 'assertIndexExists'), name)
  } else {
    throw new SkipError(`the assertion ${name}`)
  }
}

function assertThat(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`${what} does not hold`)
}
