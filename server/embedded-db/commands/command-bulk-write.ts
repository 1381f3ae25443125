import { arrayOption, documentOption, documentsOption, type Command, type CommandContext } from './command.ts'
import { CommandError, badValue } from '../errors.ts'
import { isDocument, isNumber, toNumeric, type Document } from '../bson/values.ts'
import type { Steps } from '../steps.ts'
import { requireFields, runDelete, runUpdate, withId, type Namespace } from './write-statements.ts'

interface Outcome {
  n: number
  nModified?: number
  upserted?: Document
}

const statementFields = new Set(['document', 'filter', 'updateMods', 'multi', 'upsert', 'arrayFilters', 'hint', 'sort'])

/** Writes to several collections in one command (MongoDB 8.0), as sent by `MongoClient.bulkWrite`. */
export const bulkWrite: Command = {
  isWrite: true,
  options: ['ops', 'nsInfo', 'ordered', 'errorsOnly', 'let', 'bypassDocumentValidation', 'cursor'],
  *run(context) {
    const { command } = context
    const namespaces = documentsOption(command, 'nsInfo').map(({ ns }) => parseNamespace(String(ns)))
    const totals = { nErrors: 0, nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 }
    const results: Document[] = []
    for (const [idx, operation] of documentsOption(command, 'ops').entries()) {
      try {
        const outcome = yield* runOne(context, operation, namespaces, totals)
        if (command.errorsOnly !== true) results.push({ ok: 1, idx, ...outcome })
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        const { ok: _ok, codeName: _name, ...failure } = error.toReply()
        totals.nErrors++
        results.push({ ok: 0, idx, n: 0, ...failure })
        if (command.ordered !== false) break
      }
      yield
    }
    return { cursor: { id: 0n, firstBatch: results, ns: 'admin.$cmd.bulkWrite' }, ...totals, ok: 1 }
  },
}

interface Totals {
  nInserted: number
  nMatched: number
  nModified: number
  nUpserted: number
  nDeleted: number
}

function* runOne(
  context: CommandContext,
  operation: Document,
  namespaces: Namespace[],
  totals: Totals,
): Steps<Outcome> {
  const [kind = ''] = Object.keys(operation)
  const namespace = namespaces[indexOf(operation[kind])]
  if (!namespace) throw badValue('BulkWrite ops entry has an invalid nsInfo index')
  const { [kind]: _index, ...statement } = operation
  requireFields(`bulkWrite.ops.${kind}`, statement, statementFields)
  switch (kind) {
    case 'insert':
      return insertOne(context, namespace, statement, totals)
    case 'update':
      return yield* updateSome(context, namespace, statement, totals)
    case 'delete': {
      const filter = documentOption(statement, 'filter') ?? {}
      const n = yield* runDelete(context, namespace, {
        filter,
        isMulti: statement.multi === true,
        hint: statement.hint,
      })
      totals.nDeleted += n
      return { n }
    }
    default:
      throw badValue(`unknown bulkWrite operation ${kind}`)
  }
}

function insertOne({ store }: CommandContext, namespace: Namespace, statement: Document, totals: Totals): Outcome {
  const collection = store.catalog.ensure(namespace.database, namespace.name)
  store.insert(collection, withId(documentOption(statement, 'document') ?? {}))
  totals.nInserted++
  return { n: 1 }
}

function* updateSome(
  context: CommandContext,
  namespace: Namespace,
  statement: Document,
  totals: Totals,
): Steps<Outcome> {
  const { matched, modified, upserted } = yield* runUpdate(context, namespace, {
    filter: documentOption(statement, 'filter') ?? {},
    update: statement.updateMods,
    isMulti: statement.multi === true,
    isUpsert: statement.upsert === true,
    arrayFilters: arrayOption(statement, 'arrayFilters').filter(isDocument),
    sort: documentOption(statement, 'sort'),
    hint: statement.hint,
  })
  totals.nMatched += matched
  totals.nModified += modified
  if (!upserted) return { n: matched, nModified: modified }
  totals.nUpserted++
  return { n: 1, nModified: 0, upserted: { _id: upserted._id } }
}

function indexOf(value: unknown): number {
  return isNumber(value) ? Number(toNumeric(value)) : -1
}

function parseNamespace(namespace: string): Namespace {
  const dot = namespace.indexOf('.')
  return { database: namespace.slice(0, dot), name: namespace.slice(dot + 1) }
}
