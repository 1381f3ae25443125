import { EJSON } from 'bson'
import { collectionName, documentsOption } from '../commands/command.ts'
import { planRequest } from '../commands/commands-explain.ts'
import { splitAtUnions } from '../commands/commands-read.ts'
import { planQuery } from '../query/plan.ts'
import type { Store } from '../storage/store.ts'
import { isDocument, type Document } from '../bson/values.ts'

const maxShapes = 2000
const plannedCommands = new Set(['find', 'count', 'distinct', 'aggregate', 'update', 'delete', 'findAndModify'])

/** A summary of an application's commands. */
export interface Recording {
  commands: string[]
  /** Entries such as `command $operator` and `index option`. */
  operators: string[]
  queries: RecordedQuery[]
}

/** Queries that differ only in their values. */
export interface RecordedQuery {
  collection: string
  command: string
  shape: string
  times: number
  /** The number of queries for which explain would have returned COLLSCAN with the indexes at that time. */
  timesScanned: number
  /** One filter and sort that caused a scan, as extended JSON. */
  scanSample: string | undefined
}

/**
 * Records every command, every operator with its command, and one sample of every query shape. For tests only, because samples contain
 * values of the application.
 */
export interface Recorder {
  record(name: string, command: Document): void
  report(): Recording
}

export function createRecorder(store: Store): Recorder {
  const commands = new Set<string>()
  const operators = new Set<string>()
  const queries = new Map<string, RecordedQuery>()

  function recordQuery(name: string, command: Document): void {
    const { filter, sort = {} } = planRequest(command)
    const collection = collectionName(command)
    const shape = `${name} ${collection} ${JSON.stringify(shapeOf(filter))} ${JSON.stringify(sort)}`
    const known = queries.get(shape)
    if (!known && queries.size >= maxShapes) return
    const query = known ?? { collection, command: name, shape, times: 0, timesScanned: 0, scanSample: undefined }
    queries.set(shape, query)
    query.times++
    const found = store.catalog.find(String(command.$db), collection)
    if (!found || planQuery(found, { filter, sort, hint: command.hint }).kind !== 'scan') return
    query.timesScanned++
    query.scanSample ??= EJSON.stringify({ filter, sort }, { relaxed: false })
  }

  return {
    record(name, command) {
      commands.add(name)
      if (name !== 'insert') for (const operator of operatorsOf(command)) operators.add(`${name} ${operator}`)
      if (name === 'createIndexes') for (const option of indexOptions(command)) operators.add(`index ${option}`)
      if (!plannedCommands.has(name)) return
      try {
        for (const single of singleStatements(name, command)) recordQuery(name, single)
      } catch {
        // A command that cannot be planned is refused with a specific error when it runs.
      }
    },
    report: () => ({
      commands: [...commands].toSorted(),
      operators: [...operators].toSorted(),
      queries: [...queries.values()],
    }),
  }
}

/** Splits a command into one per statement or collection, because planRequest reads only the first. */
function singleStatements(name: string, command: Document): Document[] {
  if (name === 'aggregate') return collectionsOf(command)
  const list = { update: 'updates', delete: 'deletes' }[name]
  const statements = list ? command[list] : undefined
  if (!list || !Array.isArray(statements)) return [command]
  return statements.map((statement) => ({ ...command, [list]: [statement] }))
}

function collectionsOf(command: Document): Document[] {
  const { own, unions } = splitAtUnions(documentsOption(command, 'pipeline'))
  const others = unions.flatMap(({ source }) => collectionsOf({ ...source, $db: command.$db }))
  return [{ ...command, pipeline: own }, ...others]
}

function* operatorsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const element of value) yield* operatorsOf(element)
  } else if (isDocument(value)) {
    for (const [key, field] of Object.entries(value)) {
      if (key.startsWith('$') && !['$db', '$readPreference', '$clusterTime'].includes(key)) yield key
      yield* operatorsOf(field)
    }
  }
}

function indexOptions({ indexes }: Document): string[] {
  return Array.isArray(indexes) ? indexes.flatMap((index) => (isDocument(index) ? Object.keys(index) : [])) : []
}

/** Returns the filter without its values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return isDocument(value[0]) ? value.map(shapeOf) : '?'
  if (!isDocument(value)) return '?'
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shapeOf(field)]))
}
