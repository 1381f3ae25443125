import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxWatchLists } from '#contract/alerts.ts'
import { maxOpenBatches } from '#contract/batches.ts'
import { maxCaseRecordings } from '#contract/cases.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createWatchListRepository } from './alerts/watch-lists.ts'
import { batchModel } from './batches/batch-model.ts'
import { insertBatch } from './batches/batches.ts'
import { addRecordingsToCase } from './cases/case-recordings.ts'
import { caseRecordingModel } from './cases/case-recording-model.ts'
import { insertCase } from './cases/cases.ts'
import { connectDatabase, type Database } from './connect.ts'
import { newId, toObjectId } from './ids.ts'
import { ensureIndexes } from './indexes.ts'
import { insertInSlot, insertManyInSlots } from './slots.ts'

// Calls of several servers that know nothing of each other: they share only the database.

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

/** Distributes concurrent calls over the servers. Returns each outcome: `success` or the error. */
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

describe('of batches, of which only those that have not ended count', () => {
  const choice = { transcribe: null, targetLanguages: [], redo: false }

  /** Stores as many ended batches as may be open, each still holding its slot. */
  async function insertEnded(): Promise<string> {
    const ownerId = newId()
    const ended = Array.from({ length: maxOpenBatches }, (_, slot) => {
      const createdAt = new Date(slot)
      const times = { createdAt, startedAt: createdAt, finishedAt: createdAt }
      return { ...choice, ...times, ownerId: toObjectId(ownerId), state: 'done', total: 0, counts: {}, since: 0, slot }
    })
    await batchModel(database.connection).collection.insertMany(ended)
    return ownerId
  }

  test('ended ones give their slots up, whatever server ended them', async () => {
    const ownerId = await insertEnded()
    for (let count = 0; count < maxOpenBatches; count += 1) {
      await insertBatch(database.connection, { ...choice, ownerId }, [])
    }
    await expect(insertBatch(database.connection, { ...choice, ownerId }, [])).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('a limit that does not know them fails instead of trying for good', async () => {
    const ownerId = await insertEnded()
    const model = batchModel(database.connection)
    const scope = { ownerId: toObjectId(ownerId), finishedAt: null }
    const limit = { model, scope, max: maxOpenBatches, fullError: () => new Error('full') as never }
    const document = { ...choice, ...scope, state: 'running', total: 0, counts: {}, since: 0 } as const
    const times = { createdAt: new Date(0), startedAt: new Date(0) }
    const insertion = insertInSlot(limit, (slot) => model.create({ ...document, ...times, slot } as never))
    await expect(insertion).rejects.toThrow('No slot of batches could be taken')
    await model.create({ ...document, ...times } as never)
    await model.collection.deleteOne({ ownerId: scope.ownerId, slot: 0 })
    const many = insertManyInSlots(limit, { listMissing: async () => [1], insert: async () => {} })
    await expect(many).rejects.toThrow('No slot of batches could be taken')
  })
})
