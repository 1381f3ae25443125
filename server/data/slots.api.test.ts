import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxWatchLists } from '#contract/alerts.ts'
import { maxCaseRecordings } from '#contract/cases.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createWatchListRepository } from './alerts/watch-lists.ts'
import { addRecordingsToCase } from './cases/case-recordings.ts'
import { caseRecordingModel } from './cases/case-recording-model.ts'
import { insertCase } from './cases/cases.ts'
import { connectDatabase, type Database } from './connect.ts'
import { newId, toObjectId } from './ids.ts'
import { ensureIndexes } from './indexes.ts'

// Calls of several servers, which know nothing of each other: only the database is between them.

let database: TestDatabase
const servers: Database[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  const { uri: mongodbUri, dbName } = database
  for (let count = 0; count < 4; count += 1) servers.push(await connectDatabase({ mongodbUri }, { dbName }))
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await database.drop()
})

/** Returns the outcomes of calls that take turns between the servers: of those that failed, the error. */
async function race(count: number, call: (server: Database, number: number) => Promise<unknown>): Promise<unknown[]> {
  const calls = Array.from({ length: count }, async (_, number) => {
    const server = servers[number % servers.length]
    if (!server) throw new Error('No server was started')
    return call(server, number)
  })
  return (await Promise.allSettled(calls)).map((outcome) =>
    outcome.status === 'fulfilled' ? 'success' : (outcome.reason as unknown),
  )
}

const watch = {
  categories: [],
  words: ['river'],
  texts: 'both' as const,
  threshold: 1,
  tags: [],
  isOn: true,
}

test('several servers together add as many as there is room for', async () => {
  const ownerId = newId()
  const outcomes = await race(maxWatchLists + 30, ({ connection }, number) =>
    createWatchListRepository(connection).insert(ownerId, { ...watch, name: `List ${number}` }),
  )
  expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(maxWatchLists)
  expect(outcomes.filter((outcome) => outcome !== 'success')).toEqual(
    Array.from({ length: 30 }, () => expect.objectContaining({ code: 'conflict' })),
  )
  expect(await createWatchListRepository(database.connection).list(ownerId)).toHaveLength(maxWatchLists)
})

test('a deleted one leaves its place, whatever server deletes it', async () => {
  const ownerId = newId()
  const lists = servers.map(({ connection }) => createWatchListRepository(connection))
  const add = (server: number, name: string) => lists[server]?.insert(ownerId, { ...watch, name })
  for (let number = 0; number < maxWatchLists; number += 1) await add(number % 4, `List ${number}`)
  await expect(add(0, 'One more')).rejects.toMatchObject({ code: 'conflict' })
  const [first] = (await lists[1]?.list(ownerId)) ?? []
  await lists[2]?.remove(ownerId, first?.id ?? '')
  expect(await add(3, 'One more')).toMatchObject({ name: 'One more' })
  await expect(add(0, 'Two more')).rejects.toMatchObject({ code: 'conflict' })
})

test('several servers that add many at once never exceed the maximum', async () => {
  const ownerId = newId()
  const { id: caseId } = await insertCase(database.connection, { ownerId, name: 'Harbour', colour: 'teal', notes: '' })
  const own = { caseId: toObjectId(caseId), ownerId: toObjectId(ownerId), addedAt: new Date() }
  for (let from = 0; from < maxCaseRecordings - 20; from += 499) {
    const length = Math.min(499, maxCaseRecordings - 20 - from)
    const rows = Array.from({ length }, (_, index) => ({
      ...own,
      recordingId: toObjectId(newId()),
      slot: from + index,
    }))
    await caseRecordingModel(database.connection).collection.insertMany(rows)
  }
  const outcomes = await race(4, ({ connection }) =>
    addRecordingsToCase(connection, { caseId, ownerId, recordingIds: Array.from({ length: 15 }, newId) }),
  )
  expect(outcomes.filter((outcome) => outcome !== 'success').length).toBeGreaterThan(2)
  const stored = await caseRecordingModel(database.connection).countDocuments({ caseId: own.caseId })
  expect(stored).toBeGreaterThan(maxCaseRecordings - 20)
  expect(stored).toBeLessThanOrEqual(maxCaseRecordings)
})
