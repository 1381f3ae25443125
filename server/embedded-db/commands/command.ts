import type { CursorBatch, Cursors } from './cursors.ts'
import { CommandError, badValue, unsupported } from '../errors.ts'
import { compileExpression, type Variables } from '../query/expression.ts'
import type { Steps } from '../steps.ts'
import type { FileCheck } from '../storage/file-check.ts'
import type { DatabaseSnapshots } from '../storage/snapshots.ts'
import type { Store } from '../storage/store.ts'
import { isDocument, isNumber, toNumeric, typeName, type Document } from '../bson/values.ts'

/** A running command: its document and what it may use. */
export interface CommandContext {
  command: Document
  database: string
  store: Store
  snapshots: DatabaseSnapshots
  fileCheck: FileCheck
  cursors: Cursors
  /** `$$NOW` and the variables of `let`; one instant for the whole command. */
  variables: Variables
  deadline: number | undefined
  connectionId: number
}

export interface Command {
  /** Whether it can change data: it then runs in a savepoint. */
  isWrite: boolean
  /** Options that have an effect or can be ignored safely; any other is refused by name. */
  options: readonly string[] | 'any'
  /** Whether no command may be suspended while it runs, because it removes what suspended commands read. */
  isExclusive?: boolean
  run(context: CommandContext): Document | CursorBatch | Steps<Document | CursorBatch>
}

/** Options that drivers add to every command. A single durable node satisfies the write and read concerns. */
export const commonOptions = [
  '$db',
  'lsid',
  '$readPreference',
  '$clusterTime',
  'comment',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
]

/** Refuses options that would change the meaning of the command if they were ignored. */
export function requireKnownOptions(name: string, command: Document, options: Command['options']): void {
  if ('startTransaction' in command || 'autocommit' in command || 'txnNumber' in command) {
    const message = 'Transaction numbers are only allowed on a replica set member or mongos'
    throw new CommandError('IllegalOperation', message)
  }
  if (options === 'any') return
  for (const [option, value] of Object.entries(command)) {
    if (option === name || commonOptions.includes(option) || options.includes(option) || value === undefined) continue
    if (option === 'collation' && isSimpleCollation(value)) continue
    throw unsupported(`the option '${option}' of '${name}'`)
  }
  requireConcerns(command)
}

export function isSimpleCollation(collation: unknown): boolean {
  return isDocument(collation) && collation.locale === 'simple'
}

function requireConcerns({ readConcern, writeConcern }: Document): void {
  const level = isDocument(readConcern) ? readConcern.level : undefined
  if (level === 'snapshot' || level === 'linearizable') {
    const message = `node needs to be a replica set member to use read concern ${level}`
    throw new CommandError('NotAReplicaSet', message)
  }
  const w = isDocument(writeConcern) ? writeConcern.w : undefined
  if (isNumber(w) && Number(toNumeric(w)) > 1) throw badValue("cannot use 'w' > 1 when a host is not replicated")
}

/** Returns the collection that a command names in its first field. */
export function collectionName(command: Document): string {
  const [name] = Object.values(command)
  if (typeof name === 'string') return name
  throw new CommandError('InvalidNamespace', `collection name has invalid type ${typeName(name)}`)
}

export function documentOption(command: Document, name: string): Document | undefined {
  const value = command[name]
  if (value === undefined || value === null) return undefined
  if (isDocument(value)) return value
  throw new CommandError(
    'TypeMismatch',
    `BSON field '${name}' is the wrong type '${typeName(value)}', expected 'object'`,
  )
}

export function numberOption(command: Document, name: string): number | undefined {
  const value = command[name]
  if (value === undefined || value === null) return undefined
  if (isNumber(value)) return Number(toNumeric(value))
  throw new CommandError(
    'TypeMismatch',
    `BSON field '${name}' is the wrong type '${typeName(value)}', expected a number`,
  )
}

export function arrayOption(command: Document, name: string): unknown[] {
  const value = command[name] ?? []
  if (Array.isArray(value)) return value
  throw new CommandError(
    'TypeMismatch',
    `BSON field '${name}' is the wrong type '${typeName(value)}', expected 'array'`,
  )
}

/** Returns the statements of a write command, for example the updates of an update. */
export function documentsOption(command: Document, name: string): Document[] {
  return arrayOption(command, name).map((value) => {
    if (isDocument(value)) return value
    throw new CommandError('TypeMismatch', `BSON field '${name}' must hold objects`)
  })
}

/** `$$NOW` and the command's `let`. */
export function commandVariables(command: Document, now: Date): Variables {
  const system = { NOW: now }
  const given = documentOption(command, 'let')
  if (!given) return system
  const entries = Object.entries(given).map(([name, expression]) => {
    return [name, compileExpression(expression, system)({ root: {}, variables: system })] as const
  })
  return { ...Object.fromEntries(entries), ...system }
}
