import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { incrementCounters, type CounterName, counterModel } from '#data/counters/counters.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { makeJob } from '#testing/jobs.ts'
import { jobModel } from '../jobs/job-model.ts'
import { openQueue } from '../jobs/queue.ts'
import { workHourModel, listWorkDays, sampleWork } from './work-hours.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
beforeEach(async () => {
  await Promise.all(
    [workHourModel, counterModel, jobModel].map((model) => model(database.connection).collection.deleteMany({})),
  )
})
afterAll(() => database.drop())

const at = (time: string) => new Date(`2026-03-${time}:00Z`)
const sample = (time: string) => sampleWork(database.connection, at(time))

async function count(name: CounterName, by: number, model = 'base') {
  const labels: Record<string, string> = name === 'translated_lines' ? { outcome: 'translated' } : { model }
  await incrementCounters(database.connection, [{ name, labels, by }])
}

async function lastDays(now: string, shownDays: number) {
  return listWorkDays(database.connection, { now: at(now), shownDays })
}

test('work counts for the day of the sample that finds it, over all models', async () => {
  await count('transcribed_seconds', 1000)
  await sample('01T22:00')
  await count('transcribed_seconds', 60)
  await count('transcribed_seconds', 40, 'large')
  await count('transcription_work_seconds', 25)
  await sample('01T22:55')
  await count('transcribed_seconds', 7)
  await count('translated_lines', 12)
  await count('translation_work_seconds', 3)
  await sample('02T03:00')
  const [first, second, third] = await lastDays('03T12:00', 3)
  expect(first?.work).toMatchObject({ transcribedSeconds: 100, transcriptionWorkSeconds: 25, translatedLines: 0 })
  expect(second?.work).toMatchObject({ transcribedSeconds: 7, translatedLines: 12, translationWorkSeconds: 3 })
  expect(third).toMatchObject({ day: '2026-03-03', waiting: null, oldestWaitingMs: null })
})

test('a day shows the longest queue of its samples, also of several servers at once', async () => {
  const queue = openQueue(database.connection)
  const jobs = [await makeJob(queue), await makeJob(queue)]
  await Promise.all([sample('01T10:00'), sample('01T10:00'), sample('01T10:00')])
  await jobModel(database.connection).collection.deleteMany({})
  await sample('01T10:05')
  await sample('01T11:00')
  const [day] = await lastDays('01T12:00', 1)
  expect(day?.waiting).toBe(jobs.length)
  expect(day?.oldestWaitingMs).toBeGreaterThanOrEqual(0)
  expect(await workHourModel(database.connection).countDocuments()).toBe(2)
})

test('counters that a restored backup set back take nothing from a day', async () => {
  await count('transcribed_seconds', 500)
  await sample('01T10:00')
  await counterModel(database.connection).collection.deleteMany({})
  await count('transcribed_seconds', 30)
  await sample('01T11:00')
  await count('transcribed_seconds', 20)
  await sample('01T12:00')
  const [day] = await lastDays('01T13:00', 1)
  expect(day?.work.transcribedSeconds).toBe(20)
})
