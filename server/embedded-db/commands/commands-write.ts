import { collectionName, documentOption, documentsOption, numberOption, type Command } from './command.ts'
import { CommandError } from '../errors.ts'
import type { Document } from '../bson/values.ts'
import { eachStatement, requireFields, runDelete, runUpdate, withId } from './write-statements.ts'

const insert: Command = {
  isWrite: true,
  options: ['documents', 'ordered', 'bypassDocumentValidation'],
  *run(context) {
    const { command, database, store } = context
    const documents = documentsOption(command, 'documents')
    if (documents.length === 0) {
      const message = 'Write batch sizes must be between 1 and 100000. Got 0 operations.'
      throw new CommandError('InvalidLength', message)
    }
    const name = collectionName(command)
    store.catalog.ensure(database, name)
    let inserted = 0
    const writeErrors = yield* eachStatement(documents, command, (document) => {
      store.insert(store.catalog.ensure(database, name), withId(document))
      inserted++
    })
    return { n: inserted, ...writeErrors, ok: 1 }
  },
}

const updateFields = new Set(['q', 'u', 'multi', 'upsert', 'arrayFilters', 'sort', 'hint'])

const update: Command = {
  isWrite: true,
  options: ['updates', 'ordered', 'bypassDocumentValidation', 'let'],
  *run(context) {
    const { command, database } = context
    const namespace = { database, name: collectionName(command) }
    const upserted: Document[] = []
    const totals = { n: 0, nModified: 0 }
    const writeErrors = yield* eachStatement(
      documentsOption(command, 'updates'),
      command,
      function* (statement, index) {
        requireFields('update.updates', statement, updateFields)
        const result = yield* runUpdate(context, namespace, {
          filter: documentOption(statement, 'q') ?? {},
          update: statement.u,
          isMulti: statement.multi === true,
          isUpsert: statement.upsert === true,
          arrayFilters: documentsOption(statement, 'arrayFilters'),
          sort: documentOption(statement, 'sort'),
          hint: statement.hint,
        })
        totals.n += result.upserted ? 1 : result.matched
        totals.nModified += result.modified
        if (result.upserted) upserted.push({ index, _id: result.upserted._id })
      },
    )
    return {
      n: totals.n,
      ...(upserted.length > 0 ? { upserted } : {}),
      nModified: totals.nModified,
      ...writeErrors,
      ok: 1,
    }
  },
}

const deleteFields = new Set(['q', 'limit', 'hint'])

const deleteCommand: Command = {
  isWrite: true,
  options: ['deletes', 'ordered', 'let'],
  *run(context) {
    const { command, database } = context
    const namespace = { database, name: collectionName(command) }
    let removed = 0
    const writeErrors = yield* eachStatement(documentsOption(command, 'deletes'), command, function* (statement) {
      requireFields('delete.deletes', statement, deleteFields)
      const filter = documentOption(statement, 'q') ?? {}
      const isMulti = (numberOption(statement, 'limit') ?? 0) === 0
      removed += yield* runDelete(context, namespace, { filter, isMulti, hint: statement.hint })
    })
    return { n: removed, ...writeErrors, ok: 1 }
  },
}

export const writeCommands = { insert, update, delete: deleteCommand }
