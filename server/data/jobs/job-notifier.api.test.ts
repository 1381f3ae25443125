import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { openJobNotifier } from './job-notifier.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
const hourMs = 3_600_000

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a task scheduled a day ahead, as after the clock was set back, runs soon', async () => {
  const errors: Error[] = []
  const notifier = openJobNotifier(database.connection, (error) => errors.push(error), { checkMs: 100 })
  let runs = 0
  await notifier.listen(() => undefined, [{ name: 'tidy', everyMs: hourMs, run: async () => (runs += 1) }])
  await vi.waitFor(() => expect(runs).toBe(1))
  const schedule = database.connection.collection('agendaJobs')
  // Agenda notes when the task is due next after it ran.
  await vi.waitFor(async () => {
    const due = (await schedule.findOne({ name: 'tidy' }))?.nextRunAt as Date // written by Agenda
    expect(due.getTime()).toBeGreaterThan(Date.now() + hourMs / 2)
  }, 10_000)
  await schedule.updateOne({ name: 'tidy' }, { $set: { nextRunAt: new Date(Date.now() + 25 * hourMs) } })
  await vi.waitFor(() => expect(runs).toBe(2))
  await notifier.close()
  expect(errors).toEqual([])
})
