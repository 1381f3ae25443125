import { MongoNetworkError, MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { isDatabaseUnavailable, isDatabaseDiskFailure } from './database-errors.ts'

test.each([
  ['a member that is no longer primary', 10107],
  ['a primary that stepped down', 189],
  ['a member that shuts down', 91],
  ['an operation that an election interrupted', 11602],
])('%s means that the database is unavailable', (_, code) => {
  expect(isDatabaseUnavailable(new MongoServerError({ message: 'not primary', code }))).toBe(true)
})

test('a broken connection means that the database is unavailable, a rejected document does not', () => {
  expect(isDatabaseUnavailable(new MongoNetworkError('write EPIPE'))).toBe(true)
  expect(isDatabaseUnavailable(new MongoServerError({ message: 'duplicate key', code: 11000 }))).toBe(false)
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
