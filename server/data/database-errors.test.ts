import { once } from 'node:events'
import * as driver from 'mongodb'
import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startKillableDatabase } from '#testing/killable-database.ts'
import { isDatabaseDiskFailure, isDatabaseError, isDatabaseUnavailable } from './database-errors.ts'

test.each([
  ['a member that is no longer primary', 10107],
  ['a primary that stepped down', 189],
  ['a member that shuts down', 91],
  ['an operation that an election interrupted', 11602],
])('%s means that the database is unavailable', (_, code) => {
  expect(isDatabaseUnavailable(new MongoServerError({ message: 'not primary', code }))).toBe(true)
})

/** Base classes of the driver's connection and server selection errors, and the errors of a client that is being closed. */
const unavailableBases = [driver.MongoNetworkError, driver.MongoSystemError]
const closedErrors = [
  'MongoServerClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
  'MongoUnexpectedServerResponseError',
  'MongoStalePrimaryError',
  'MongoExpiredSessionError',
]
const driverErrors = Object.entries(driver).flatMap(([name, exported]) => {
  const prototype: unknown = typeof exported === 'function' ? exported.prototype : undefined
  if (!(prototype instanceof Error)) return []
  const isOfConnection = unavailableBases.some((base) => exported === base || prototype instanceof base)
  return isOfConnection || closedErrors.includes(name) ? [{ name, prototype }] : []
})

test('the driver has the errors that are looked for', () => {
  expect(driverErrors.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['MongoNetworkTimeoutError', 'MongoServerSelectionError', ...closedErrors]),
  )
})

test.each(driverErrors)('$name of the driver means that the database is unavailable', ({ prototype }) => {
  const error: unknown = Object.create(prototype)
  expect(isDatabaseUnavailable(error)).toBe(true)
})

test.each(['MongoPoolClosedError', 'MongoPoolClearedError', 'PoolClearedOnNetworkError', 'MongoWaitQueueTimeoutError'])(
  '%s, which the driver does not export, means that the database is unavailable',
  (name) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('pool'), { name }))).toBe(true)
  },
)

test('so does what was under way when the database was killed: a write of many documents, and a cursor', async () => {
  const database = await startKillableDatabase()
  onTestFinished(() => database.remove())
  const client = await new MongoClient(database.uri, {
    retryReads: false,
    serverSelectionTimeoutMS: 1000,
    heartbeatFrequencyMS: 500,
  }).connect()
  onTestFinished(() => client.close())
  const items = client.db('test').collection('items')
  const documents = () => Array.from({ length: 10 }, (_, number) => ({ number }))
  await items.insertMany(documents())
  const cursor = items.find({}, { batchSize: 2 })
  await cursor.next()
  await cursor.next()

  // A write on a connection that has ended without the driver noticing may wait forever; liveness.ts exists for this.
  const isNoticed = once(client, 'serverHeartbeatFailed')
  await database.kill()
  await isNoticed
  const failures: unknown[] = [await items.insertMany(documents()).catch((error: unknown) => error)]
  failures.push(await items.bulkWrite([{ insertOne: { document: {} } }]).catch((error: unknown) => error))
  await database.start()
  await vi.waitFor(async () => expect(await items.findOne()).not.toBeNull(), { timeout: 10_000 })
  failures.push(await cursor.next().catch((error: unknown) => error))

  expect(failures.map((error) => [error, isDatabaseUnavailable(error)])).toEqual(failures.map((error) => [error, true]))
}, 30_000)

test('a broken connection means that the database is unavailable, a rejected document does not', () => {
  expect(isDatabaseUnavailable(new MongoNetworkError('write EPIPE'))).toBe(true)
  expect(isDatabaseUnavailable(new MongoServerError({ message: 'duplicate key', code: 11000 }))).toBe(false)
})

test('errors of the database are told from those of what was read from it', () => {
  for (const error of [new MongoNetworkError('write EPIPE'), new MongoServerError({ message: 'too slow', code: 50 })]) {
    expect(isDatabaseError(error)).toBe(true)
  }
  expect(isDatabaseError(new Error('unexpected end of file'))).toBe(false)
})

test.each([
  { message: 'the disk is full: nothing was written', code: 14031 },
  { message: 'disk I/O error', code: 1 },
  { message: 'attempt to write a readonly database', code: 1 },
])('$message is a disk failure', (description) => {
  expect(isDatabaseDiskFailure(new MongoServerError(description))).toBe(true)
})

test('another error of the database is not a disk failure', () => {
  expect(isDatabaseDiskFailure(new MongoServerError({ message: 'no such column', code: 1 }))).toBe(false)
})
