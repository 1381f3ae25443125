import { BSON, Db, MongoClient, type CommandStartedEvent } from 'mongodb'
import { difference, isFields, specResult } from './match-result.ts'
import { SkipError, runOperation } from './operations.ts'
import type { Entity, ExpectedError, Fields, Operation, SpecFile, SpecTest } from './spec-file.ts'

interface Stage {
  entities: Map<string, unknown>
  clients: MongoClient[]
  /** Commands that each client has sent, by the client's id. */
  sent: Map<string, Fields[]>
}

/** Runs one test of a file. Returns the difference, or undefined. Throws SkipError. */
export async function runTest(
  file: SpecFile,
  test: SpecTest,
  uri: string,
  admin: MongoClient,
): Promise<string | undefined> {
  await fillCollections(file, admin)
  const stage: Stage = { entities: new Map(), clients: [], sent: new Map() }
  try {
    for (const entry of file.createEntities ?? []) await createEntity(entry, stage, uri)
    for (const operation of test.operations) {
      const failure = await checkOperation(operation, stage, admin)
      if (failure) return `${operation.name}: ${failure}`
    }
    return (await outcomeFailure(test, admin)) ?? eventFailure(test, stage)
  } finally {
    for (const client of stage.clients) await client.close()
  }
}

async function fillCollections(file: SpecFile, admin: MongoClient): Promise<void> {
  for (const { databaseName, collectionName, documents } of file.initialData ?? []) {
    const database = admin.db(databaseName)
    await database.dropCollection(collectionName)
    if (documents.length > 0) await database.collection(collectionName).insertMany(documents)
    else await database.createCollection(collectionName)
  }
}

async function createEntity(
  entry: Record<string, Entity>,
  { entities, clients, sent }: Stage,
  uri: string,
): Promise<void> {
  const [[kind, entity] = ['', undefined]] = Object.entries(entry)
  if (kind === 'client' && entity) {
    const { heartbeatFrequencyMS: _frequency, ...uriOptions } = entity.uriOptions ?? {}
    if (entity.serverApi) throw new SkipError('a declared server API')
    const client = new MongoClient(uri, { ...uriOptions, monitorCommands: true })
    const commands: Fields[] = []
    const ignored = new Set(['hello', 'ismaster', 'endSessions', ...(entity.ignoreCommandMonitoringEvents ?? [])])
    client.on('commandStarted', (event: CommandStartedEvent) => {
      if (!ignored.has(event.commandName))
        commands.push(BSON.EJSON.parse(BSON.EJSON.stringify(event.command)) as Fields) // a copy
    })
    sent.set(entity.id, commands)
    clients.push(await client.connect())
    entities.set(entity.id, client)
  } else if (kind === 'database' && entity) {
    const client = entities.get(entity.client ?? '')
    if (client instanceof MongoClient) entities.set(entity.id, client.db(entity.databaseName, entity.databaseOptions))
  } else if (kind === 'collection' && entity) {
    const database = entities.get(entity.database ?? '')
    if (database instanceof Db)
      entities.set(entity.id, database.collection(entity.collectionName ?? '', entity.collectionOptions))
  } else {
    throw new SkipError(`the entity ${kind}`)
  }
}

async function checkOperation(
  operation: Operation,
  { entities }: Stage,
  admin: MongoClient,
): Promise<string | undefined> {
  const { expectError, expectResult, ignoreResultAndError, saveResultAsEntity } = operation
  let result: unknown
  try {
    result = await runOperation(operation, entities, admin)
  } catch (error) {
    if (error instanceof SkipError) throw error
    if (ignoreResultAndError) return undefined
    return expectError ? errorFailure(expectError, error) : String(error)
  }
  if (expectError) return 'an error was expected'
  if (saveResultAsEntity) entities.set(saveResultAsEntity, result)
  return expectResult === undefined ? undefined : difference(specResult(expectResult), specResult(result))
}

function errorFailure(expected: ExpectedError, error: unknown): string | undefined {
  const { code, codeName, message = '', result }: Fields = isObject(error) ? readError(error) : {}
  if (expected.errorCode !== undefined && code !== expected.errorCode) return `code ${String(code)}: ${String(message)}`
  if (expected.errorCodeName && codeName !== expected.errorCodeName) return `code name ${String(codeName)}`
  const isMissing =
    expected.errorContains && !String(message).toLowerCase().includes(expected.errorContains.toLowerCase())
  if (isMissing) return `"${expected.errorContains}" is not in: ${String(message)}`
  if (expected.isClientError === false && code === undefined) return `no error of the server: ${String(message)}`
  return expected.expectResult && result ? difference(specResult(expected.expectResult), specResult(result)) : undefined
}

function readError(error: object): Fields {
  return Object.fromEntries(['code', 'codeName', 'message', 'result'].map((key) => [key, Reflect.get(error, key)]))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

async function outcomeFailure(test: SpecTest, admin: MongoClient): Promise<string | undefined> {
  for (const { databaseName, collectionName, documents } of test.outcome ?? []) {
    const found = await admin.db(databaseName).collection(collectionName).find().sort({ _id: 1 }).toArray()
    const failure = difference(documents, found, { path: 'outcome', isRoot: false })
    if (failure) return failure
  }
  return undefined
}

/** Returns how the sent commands differ from the expected ones; a difference is a fault of the driver, not of the database. */
function eventFailure(test: SpecTest, { sent }: Stage): string | undefined {
  for (const { client, eventType = 'command', events, ignoreExtraEvents } of test.expectEvents ?? []) {
    if (eventType !== 'command') continue
    const started = events.flatMap((event) => (event.commandStartedEvent ? [event.commandStartedEvent] : []))
    const commands = sent.get(client) ?? []
    if (!ignoreExtraEvents && started.length !== commands.length)
      return `events: ${commands.length}, not ${started.length}`
    for (const [index, { command }] of started.entries()) {
      const failure = isFields(command) && difference(command, commands[index], { path: `event ${index}` })
      if (failure) return failure
    }
  }
  return undefined
}
