import { ObjectId } from 'bson'
import { decode } from './bson-codec.ts'
import type { Collection } from './catalog.ts'
import {
  collectionName,
  documentOption,
  documentsOption,
  isSimpleCollation,
  numberOption,
  type Command,
  type CommandContext,
} from './command.ts'
import { CommandError, unsupported } from './errors.ts'
import { compileProjection } from './projection.ts'
import { findDocuments } from './query.ts'
import type { StoredDocument } from './store.ts'
import { updateKind, updatedBody, upsertedDocument } from './update.ts'
import type { Document } from './values.ts'

const insert: Command = {
  isWrite: true,
  options: ['documents', 'ordered', 'bypassDocumentValidation'],
  run(context) {
    const { command, database, store } = context
    const documents = documentsOption(command, 'documents')
    if (documents.length === 0) {
      const message = 'Write batch sizes must be between 1 and 100000. Got 0 operations.'
      throw new CommandError('InvalidLength', message)
    }
    const collection = store.catalog.ensure(database, collectionName(command))
    let inserted = 0
    const writeErrors = eachStatement(documents, command, (document) => {
      store.insert(collection, withId(document))
      inserted++
    })
    return { n: inserted, ...writeErrors, ok: 1 }
  },
}

/** `_id` first, made when it is missing. */
function withId(document: Document): Document {
  if (Object.keys(document)[0] === '_id' && document._id !== undefined) return document
  const { _id, ...rest } = document
  return { _id: _id === undefined ? new ObjectId() : _id, ...rest }
}

/** Runs the statements of a command; a refused one is reported by its index and, when ordered, ends the command. */
function eachStatement(
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

interface UpdateStatement {
  filter: Document
  update: unknown
  isMulti: boolean
  isUpsert: boolean
  arrayFilters: Document[]
  sort?: Document | undefined
  hint?: unknown
}

interface UpdateResult {
  matched: number
  modified: number
  upserted?: Document
  /** The last matched document before and after. */
  before?: Uint8Array
  after?: Uint8Array
}

function runUpdate(context: CommandContext, name: string, statement: UpdateStatement): UpdateResult {
  const { store, database, variables, deadline } = context
  const { filter, update, isMulti, isUpsert, arrayFilters, sort, hint } = statement
  if (isMulti && updateKind(update) === 'replacement') {
    throw new CommandError('FailedToParse', 'multi update is not supported for replacement-style update')
  }
  const options = { filter, arrayFilters, variables }
  const query = { filter, sort, hint, limit: isMulti ? 0 : 1, variables, deadline }
  const found = store.catalog.find(database, name)
  const matches = found ? findDocuments(store, found, query) : []
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

const UPDATE_FIELDS = new Set(['q', 'u', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation', 'c'])

const update: Command = {
  isWrite: true,
  options: ['updates', 'ordered', 'bypassDocumentValidation', 'let'],
  run(context) {
    const { command } = context
    const name = collectionName(command)
    const upserted: Document[] = []
    const totals = { n: 0, nModified: 0 }
    const writeErrors = eachStatement(documentsOption(command, 'updates'), command, (statement, index) => {
      requireFields('update.updates', statement, UPDATE_FIELDS)
      const result = runUpdate(context, name, {
        filter: documentOption(statement, 'q') ?? {},
        update: statement.u,
        isMulti: statement.multi === true,
        isUpsert: statement.upsert === true,
        arrayFilters: documentsOption(statement, 'arrayFilters'),
        hint: statement.hint,
      })
      totals.n += result.upserted ? 1 : result.matched
      totals.nModified += result.modified
      if (result.upserted) upserted.push({ index, _id: result.upserted._id })
    })
    return {
      n: totals.n,
      ...(upserted.length > 0 ? { upserted } : {}),
      nModified: totals.nModified,
      ...writeErrors,
      ok: 1,
    }
  },
}

function requireFields(place: string, statement: Document, known: ReadonlySet<string>): void {
  for (const [field, value] of Object.entries(statement)) {
    if (!known.has(field))
      throw new CommandError('Location40415', `BSON field '${place}.${field}' is an unknown field.`)
    if (field === 'collation' && !isSimpleCollation(value)) throw unsupported('collation')
  }
}

const DELETE_FIELDS = new Set(['q', 'limit', 'hint', 'collation'])

const deleteCommand: Command = {
  isWrite: true,
  options: ['deletes', 'ordered', 'let'],
  run(context) {
    const { command, database, store, variables, deadline } = context
    const collection = store.catalog.find(database, collectionName(command))
    let removed = 0
    const writeErrors = eachStatement(documentsOption(command, 'deletes'), command, (statement) => {
      requireFields('delete.deletes', statement, DELETE_FIELDS)
      const filter = documentOption(statement, 'q') ?? {}
      const limit = numberOption(statement, 'limit') ?? 0
      if (!collection) return
      const matches = findDocuments(store, collection, { filter, limit, hint: statement.hint, variables, deadline })
      for (const stored of matches) store.remove(collection, stored)
      removed += matches.length
    })
    return { n: removed, ...writeErrors, ok: 1 }
  },
}

const findAndModify: Command = {
  isWrite: true,
  options: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'arrayFilters',
    'hint',
    'let',
    'bypassDocumentValidation',
  ],
  run(context) {
    const { command, database, store } = context
    const name = collectionName(command)
    const filter = documentOption(command, 'query') ?? {}
    if (command.remove === true) {
      if (command.update) throw new CommandError('FailedToParse', "Cannot specify both an 'update' and 'remove'=true")
      return removeOne(context, store.catalog.find(database, name), filter)
    }
    if (!command.update) {
      throw new CommandError('FailedToParse', 'Either an update or remove=true must be specified')
    }
    const result = runUpdate(context, name, {
      filter,
      update: command.update,
      isMulti: false,
      isUpsert: command.upsert === true,
      arrayFilters: documentsOption(command, 'arrayFilters'),
      sort: documentOption(command, 'sort'),
      hint: command.hint,
    })
    const isNew = command.new === true
    const { upserted } = result
    const stored = isNew ? result.after : result.before
    const document = stored ? decode(stored) : isNew && upserted
    return {
      lastErrorObject: {
        n: result.matched + (upserted ? 1 : 0),
        updatedExisting: result.matched > 0,
        ...(upserted ? { upserted: upserted._id } : {}),
      },
      value: document ? shaped(context, document, filter) : null,
      ok: 1,
    }
  },
}

function removeOne(context: CommandContext, collection: Collection | undefined, filter: Document): Document {
  const { command, store, variables, deadline } = context
  const query = { filter, sort: documentOption(command, 'sort'), limit: 1, hint: command.hint, variables, deadline }
  const [stored]: StoredDocument[] = collection ? findDocuments(store, collection, query) : []
  if (!collection || !stored) return { lastErrorObject: { n: 0 }, value: null, ok: 1 }
  store.remove(collection, stored)
  return { lastErrorObject: { n: 1 }, value: shaped(context, decode(stored.body), filter), ok: 1 }
}

function shaped({ command, variables }: CommandContext, document: Document, filter: Document): Document {
  const fields = documentOption(command, 'fields')
  if (!fields || Object.keys(fields).length === 0) return document
  return compileProjection(fields, { filter, variables })(document)
}

export const writeCommands = { insert, update, delete: deleteCommand, findAndModify }
