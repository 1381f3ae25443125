import { MongoNetworkError, MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { isDatabaseAway, isDatabaseDiskFailure } from './database-errors.ts'

test.each([
  ['a member that is no primary any more', 10107],
  ['a primary that stepped down', 189],
  ['a member that shuts down', 91],
  ['an operation that an election interrupted', 11602],
])('%s counts as a database that is away', (_, code) => {
  expect(isDatabaseAway(new MongoServerError({ message: 'not primary', code }))).toBe(true)
})

test('a connection that broke counts as a database that is away, a refused document does not', () => {
  expect(isDatabaseAway(new MongoNetworkError('write EPIPE'))).toBe(true)
  expect(isDatabaseAway(new MongoServerError({ message: 'duplicate key', code: 11000 }))).toBe(false)
})

test.each([
  { message: 'the disk is full: nothing was written', code: 14031 },
  { message: 'disk I/O error', code: 1 },
  { message: 'attempt to write a readonly database', code: 1 },
])('$message is a fault of the disk', (description) => {
  expect(isDatabaseDiskFailure(new MongoServerError(description))).toBe(true)
})

test('another fault inside the database is none of the disk', () => {
  expect(isDatabaseDiskFailure(new MongoServerError({ message: 'no such column', code: 1 }))).toBe(false)
})
