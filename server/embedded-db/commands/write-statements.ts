import { ObjectId } from 'bson'
import { isSimpleCollation, type CommandContext } from './command.ts'
import { CommandError, unsupported } from '../errors.ts'
import { findInCollection } from '../query/query.ts'
import { requireValidUpdate, updateKind, updatedBody, upsertedDocument } from '../update/update.ts'
import type { Document } from '../bson/values.ts'

/*
 * The statements that write commands are made of: one insert, update or delete on one collection.
 */

export interface Namespace {
  database: string
  name: string
}

/** `_id` first, made when it is missing. */
export function withId(document: Document): Document {
  if (Object.keys(document)[0] === '_id' && document._id !== undefined) return document
  const { _id, ...rest } = document
  return { _id: _id === undefined ? new ObjectId() : _id, ...rest }
}

/** Runs the statements of a command; a refused one is reported by its index and, when ordered, ends the command. */
export function eachStatement(
  statements: Document[],
  command: Document,
  run: (statement: Document, index: number) => void,
): { writeErrors?: Document[] } {
  const writeErrors: Document[] = []
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      writeErrors.push({ index, code: error.code, errmsg: error.message, ...error.details })
      if (command.ordered !== false) break
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {}
}

export interface UpdateStatement {
  filter: Document
  update: unknown
  isMulti: boolean
  isUpsert: boolean
  arrayFilters: Document[]
  sort?: Document | undefined
  hint?: unknown
}

export interface UpdateResult {
  matched: number
  modified: number
  upserted?: Document
  /** The last matched document before and after. */
  before?: Uint8Array
  after?: Uint8Array
}

/** Updates what the filter finds, or inserts when nothing is found and the statement is an upsert. */
export function runUpdate(
  context: CommandContext,
  { database, name }: Namespace,
  statement: UpdateStatement,
): UpdateResult {
  const { store, variables, deadline } = context
  const { filter, update, isMulti, isUpsert, arrayFilters, sort, hint } = statement
  if (isMulti && updateKind(update) === 'replacement') {
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style update')
  }
  requireValidUpdate(update, variables)
  const options = { filter, arrayFilters, variables }
  const query = { filter, sort, hint, limit: isMulti ? 0 : 1, variables, deadline }
  const found = store.catalog.find(database, name)
  const matches = findInCollection(store, found, query)
  if (matches.length === 0 && isUpsert) {
    const upserted = upsertedDocument(update, options)
    store.insert(store.catalog.ensure(database, name), upserted)
    return { matched: 0, modified: 0, upserted }
  }
  const result: UpdateResult = { matched: matches.length, modified: 0 }
  for (const stored of matches) {
    const body = updatedBody(stored.body, update, options)
    if (body && found) {
      store.replace(found, stored, body)
      result.modified++
    }
    result.before = stored.body
    result.after = body ?? stored.body
  }
  return result
}

export interface DeleteStatement {
  filter: Document
  isMulti: boolean
  hint?: unknown
}

/** Answers how many documents it removed. */
export function runDelete(context: CommandContext, { database, name }: Namespace, statement: DeleteStatement): number {
  const { store, variables, deadline } = context
  const { filter, isMulti, hint } = statement
  const collection = store.catalog.find(database, name)
  const query = { filter, limit: isMulti ? 0 : 1, hint, variables, deadline }
  const matches = findInCollection(store, collection, query)
  if (!collection) return 0
  for (const stored of matches) store.remove(collection, stored)
  return matches.length
}

/** Refuses what would change the meaning of a statement if it were ignored. */
export function requireFields(place: string, statement: Document, known: ReadonlySet<string>): void {
  for (const [field, value] of Object.entries(statement)) {
    if (field === 'collation' && isSimpleCollation(value)) continue
    if (field === 'collation') throw unsupported('collation')
    if (!known.has(field))
      throw new CommandError('Location40415', `BSON field '${place}.${field}' is an unknown field.`)
  }
}
