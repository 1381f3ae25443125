import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { alertModel } from './alert-model.ts'
import { updateAlerts } from './change-alerts.ts'
import { insertAlerts } from './raised-alerts.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
afterAll(() => database.drop())

test('a change of many alerts ends, with all of them changed, although they are changed back at the same time', async () => {
  const owner = { ownerId: newId(), recordingId: newId() }
  const hit = { word: 'river', category: null, isSimilar: false, isTranslation: false, side: null, speaker: null }
  const shown = { language: null, sentence: 'river', markStart: 0, markEnd: 5, isDigestDue: false }
  const watchListId = newId()
  const count = 1_100
  const alerts = Array.from({ length: count }, (_, timeMs) => {
    return { ...hit, ...shown, watchListId, jobId: null, key: `${timeMs}`, timeMs }
  })
  await insertAlerts(database.connection, owner, alerts)
  const ownerId = toObjectId(owner.ownerId)
  // The filter still matches changed alerts, as if somebody else changed each one back at once.
  await updateAlerts(database.connection, { ownerId }, { $inc: { markEnd: 1 } })
  const counts = await alertModel(database.connection).distinct('markEnd', { ownerId })
  expect(counts.every((markEnd) => markEnd === 6 || markEnd === 7)).toBe(true)
})
