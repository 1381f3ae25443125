import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readDatabaseUri } from './stored-results.ts'
import { waitForAnswer } from './wait-for-answer.ts'

test('an answer of 503 is no loss: the call is repeated until somebody knows', async () => {
  const statuses = [503, 0, 503, 503, 503, 200]
  const call = async () => ({ status: statuses.shift() ?? 404 })
  expect(await waitForAnswer(call, { pauseMs: 1 })).toEqual({ status: 200 })
})

test('what is never answered is told as it is', async () => {
  expect(await waitForAnswer(async () => ({ status: 503 }), { limitMs: 5, pauseMs: 1 })).toEqual({ status: 503 })
})

test('an answer of 404 is not repeated', async () => {
  const statuses = [404, 200]
  expect(await waitForAnswer(async () => ({ status: statuses.shift() ?? 0 }))).toEqual({ status: 404 })
})

test('the database is that of MONGODB_URI, else the one that the product wrote down', async () => {
  const dataDir = await temporaryFolder()
  const given = 'mongodb://a,b,c/awaz?replicaSet=rs0'
  expect(await readDatabaseUri(dataDir, { MONGODB_URI: given })).toBe(given)
  await mkdir(join(dataDir, 'db'))
  await writeFile(join(dataDir, 'db', 'uri'), 'mongodb://%2Fdb.sock/awaz\n')
  expect(await readDatabaseUri(dataDir, {})).toBe('mongodb://%2Fdb.sock/awaz')
})
