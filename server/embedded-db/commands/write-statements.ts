import { ObjectId } from 'bson'
import { isSimpleCollation, type CommandContext } from './command.ts'
import { CommandError, unsupported } from '../errors.ts'
import type { Collection } from '../storage/catalog.ts'
import type { FoundDocument, Store } from '../storage/store.ts'
import type { StoredDocument } from '../storage/scans.ts'
import { decode, encode } from '../bson/bson-codec.ts'
import { compileFilter, hasExpr } from '../query/match.ts'
import { findInCollection } from '../query/query.ts'
import { finishSteps, type Steps } from '../steps.ts'
import { requireValidUpdate, updateKind, updatedBody, upsertedDocument } from '../update/update.ts'
import type { Document } from '../bson/values.ts'

/*
 * The statements of which write commands consist: one insert, update or delete on one collection.
 */

export interface Namespace {
  database: string
  name: string
}

/** The maximum total size of the error messages in a reply. */
const maxErrorTextBytes = 1024 * 1024

/** Returns the document with `_id` first; generates the id if missing. */
export function withId(document: Document): Document {
  if (Object.keys(document)[0] === '_id' && document._id !== undefined) return document
  const { _id, ...rest } = document
  return { _id: _id === undefined ? new ObjectId() : _id, ...rest }
}

/** Runs the statements of a command; a refused statement is reported by its index and, when ordered, ends the command. */
export function* eachStatement(
  statements: Document[],
  command: Document,
  run: (statement: Document, index: number) => Steps<void> | void,
): Steps<{ writeErrors?: Document[] }> {
  const writeErrors: Document[] = []
  let textBytes = 0
  for (const [index, statement] of statements.entries()) {
    try {
      const steps = run(statement, index)
      if (steps) yield* steps
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      // As in MongoDB, further errors have no text, so that the reply fits into a message.
      textBytes += error.message.length
      const words = textBytes <= maxErrorTextBytes ? { errmsg: error.message, ...error.details } : { errmsg: '' }
      writeErrors.push({ index, code: error.code, ...words })
      if (command.ordered !== false) break
    }
    yield
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

/** Updates the matches, or inserts when there is none and the statement is an upsert. Atomic unless `multi` is set. */
export function* runUpdate(
  context: CommandContext,
  { database, name }: Namespace,
  statement: UpdateStatement,
): Steps<UpdateResult> {
  const { store, variables, deadline } = context
  const { filter, update, isMulti, isUpsert, arrayFilters, sort, hint } = statement
  if (isMulti && updateKind(update) === 'replacement') {
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style update')
  }
  if (isUpsert && hasExpr(filter)) {
    throw new CommandError('QueryFeatureNotAllowed', '$expr is not allowed in the query predicate for an upsert')
  }
  requireValidUpdate(update, variables)
  const options = { filter, arrayFilters, variables }
  const found = store.catalog.find(database, name)
  const search = findInCollection(store, found, { filter, sort, hint, limit: isMulti ? 0 : 1, variables, deadline })
  const matches = isMulti ? yield* search : finishSteps(search)
  if (matches.length === 0 && isUpsert) {
    const upserted = upsertedDocument(update, options)
    decode(encode(upserted)) // a path can be deeper than what can be read again
    store.insert(store.catalog.ensure(database, name), upserted)
    return { matched: 0, modified: 0, upserted }
  }
  const result: UpdateResult = { matched: 0, modified: 0 }
  const change = (collection: Collection, stored: StoredDocument) => {
    const body = updatedBody(stored.body, update, options)
    if (body) {
      store.replace(collection, stored, body)
      result.modified++
    }
    result.matched++
    result.before = stored.body
    result.after = body ?? stored.body
  }
  if (found) yield* eachMatch({ context, found, matches, filter, isMulti }, change)
  return result
}

export interface DeleteStatement {
  filter: Document
  isMulti: boolean
  hint?: unknown
}

/** Removes the matches. Returns their number. */
export function* runDelete(
  context: CommandContext,
  { database, name }: Namespace,
  statement: DeleteStatement,
): Steps<number> {
  const { store, variables, deadline } = context
  const { filter, isMulti, hint } = statement
  const found = store.catalog.find(database, name)
  const search = findInCollection(store, found, { filter, limit: isMulti ? 0 : 1, hint, variables, deadline })
  const matches = isMulti ? yield* search : finishSteps(search)
  let removed = 0
  const remove = (collection: Collection, stored: StoredDocument) => {
    store.remove(collection, stored)
    removed++
  }
  if (found) yield* eachMatch({ context, found, matches, filter, isMulti }, remove)
  return removed
}

interface Matches {
  context: CommandContext
  found: Collection
  matches: FoundDocument[]
  filter: Document
  isMulti: boolean
}

/** Changes each match after rereading it: during a pause, it may have been removed or have stopped matching. */
function* eachMatch(
  { context: { store, variables }, found, matches, filter, isMulti }: Matches,
  change: (collection: Collection, stored: StoredDocument) => void,
): Steps<void> {
  const stillMatches = isMulti ? compileFilter(filter, variables) : () => true
  // An index whose keys changed during a pause may yield a document twice.
  for (const row of new Set(matches.map((match) => match.row))) {
    // Looked up each time, because other commands may have created or dropped indexes.
    const collection = currentCollection(store, found)
    const stored = collection && store.read(collection, row)
    if (collection && stored && stillMatches(decode(stored.body))) change(collection, stored)
    if (isMulti) yield
  }
}

/** Returns the current collection; undefined when it was dropped. */
export function currentCollection(store: Store, { id, database, name }: Collection): Collection | undefined {
  const collection = store.catalog.find(database, name)
  return collection?.id === id ? collection : undefined
}

/** Refuses fields that would change the meaning of a statement if they were ignored. */
export function requireFields(place: string, statement: Document, known: ReadonlySet<string>): void {
  for (const [field, value] of Object.entries(statement)) {
    if (field === 'collation' && isSimpleCollation(value)) continue
    if (field === 'collation') throw unsupported('collation')
    if (!known.has(field))
      throw new CommandError('Location40415', `BSON field '${place}.${field}' is an unknown field.`)
  }
}
