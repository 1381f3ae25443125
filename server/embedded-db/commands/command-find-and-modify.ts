import { decode } from '../bson/bson-codec.ts'
import type { Collection } from '../storage/catalog.ts'
import { collectionName, documentOption, documentsOption, type Command, type CommandContext } from './command.ts'
import { CommandError } from '../errors.ts'
import { compileProjection } from '../query/projection.ts'
import { findInCollection } from '../query/query.ts'
import { finishSteps } from '../steps.ts'
import type { Document } from '../bson/values.ts'
import { runUpdate } from './write-statements.ts'

export const findAndModify: Command = {
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
    const change = runUpdate(
      context,
      { database, name },
      {
        filter,
        update: command.update,
        isMulti: false,
        isUpsert: command.upsert === true,
        arrayFilters: documentsOption(command, 'arrayFilters'),
        sort: documentOption(command, 'sort'),
        hint: command.hint,
      },
    )
    const result = finishSteps(change)
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
  const [found] = finishSteps(findInCollection(store, collection, query))
  const stored = found && collection && store.read(collection, found.row)
  if (!collection || !stored) return { lastErrorObject: { n: 0 }, value: null, ok: 1 }
  store.remove(collection, stored)
  return { lastErrorObject: { n: 1 }, value: shaped(context, decode(stored.body), filter), ok: 1 }
}

function shaped({ command, variables }: CommandContext, document: Document, filter: Document): Document {
  const fields = documentOption(command, 'fields')
  if (!fields || Object.keys(fields).length === 0) return document
  return compileProjection(fields, { filter, variables })(document)
}
