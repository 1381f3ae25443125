import { MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { toStoreFailure } from './store-failure.ts'

test.each([
  ['the folder', Object.assign(new Error('no room'), { code: 'ENOSPC' }), 'disk_full'],
  ['the database', new MongoServerError({ message: 'the disk is full', code: 14031 }), 'disk_full'],
  ['a folder that is missing', Object.assign(new Error('gone'), { code: 'ENOENT' }), 'unavailable'],
])('a failure of %s is said to whoever uploads', (_what, error, code) => {
  expect(toStoreFailure(error)).toMatchObject({ code })
})

test('another error stays what it is', () => {
  const error = new TypeError('a fault of ours')
  expect(toStoreFailure(error)).toBe(error)
})
