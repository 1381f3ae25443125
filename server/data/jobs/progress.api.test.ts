import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { joinLines } from '#contract/progress-text.ts'
import type { Segment, TranscriptionProgress } from '#contract/transcription.ts'
import { createTestDatabase } from '#testing/database.ts'
import { makeJob, takeJob } from '#testing/jobs.ts'
import { listTextChanges, readJob } from '#testing/stored-work.ts'
import { ensureIndexes } from '../indexes.ts'
import { jobModel } from './job-model.ts'
import { completeJob, releaseJob } from './lease.ts'
import { createProgressWriter, readText } from './progress.ts'
import { openQueue, type Queue } from './queue.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let queue: Queue

beforeAll(async () => {
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
})
beforeEach(() => Promise.all(Object.values(database.connection.models).map((model) => model.deleteMany({}))))
afterAll(() => database.drop())

const readStoredJob = (id: string) => readJob(queue, id)

const line = (text: string) => ({ start: 1, end: 2, text, channel: 0 })

function progressOf(lines: Segment[]): TranscriptionProgress {
  return {
    current_segment: lines.length,
    total_segments: 9,
    detected_language: 'ps',
    language_probability: null,
    latest_segment: lines.at(-1) ?? null,
    partial_text: joinLines(lines),
    partial_segments: lines,
  }
}

async function readPartialText(id: string) {
  const job = await readStoredJob(id)
  return job && (await readText(queue, job))
}

test('progress is stored as what changed, and read as the whole text', async () => {
  const job = await makeJob(queue)
  const write = createProgressWriter(queue, await takeJob(queue))
  await write(progressOf([line('one')]))
  await write(progressOf([line('one'), line('two')]))
  await write(progressOf([line('one'), line('two')]))
  expect(await listTextChanges(queue, job.id)).toEqual([
    { at: 0, removed: 0, lines: [line('one')] },
    { at: 1, removed: 0, lines: [line('two')] },
  ])
  expect(await readPartialText(job.id)).toEqual({ lines: [line('one'), line('two')], text: '' })
  expect(JSON.stringify((await readStoredJob(job.id))?.progress)).not.toContain('one')
})

test('a new attempt begins a text of its own, and nothing of a text stays after the end', async () => {
  const job = await makeJob(queue)
  const first = await takeJob(queue)
  await createProgressWriter(queue, first)(progressOf([line('one'), line('two')]))
  await releaseJob(queue, first)
  const second = await takeJob(queue)
  expect(await readPartialText(job.id)).toMatchObject({ lines: [line('one'), line('two')] })
  await createProgressWriter(queue, second)(progressOf([line('again')]))
  expect(await readPartialText(job.id)).toMatchObject({ lines: [line('again')] })
  expect(await listTextChanges(queue, job.id)).toHaveLength(1)
  await completeJob(queue, second, { result: { ok: true }, languages: ['ps'] })
  expect(await listTextChanges(queue, job.id)).toHaveLength(0)
  expect(await readPartialText(job.id)).toEqual({ lines: [], text: '' })
})

test('the next write makes up for a failed one', async () => {
  const job = await makeJob(queue)
  const taken = await takeJob(queue)
  const write = createProgressWriter(queue, taken)
  await write(progressOf([line('one')]))
  const update = vi.spyOn(jobModel(queue.connection), 'updateOne').mockRejectedValue(new Error('away'))
  await expect(write(progressOf([line('one'), line('two')]))).rejects.toThrow('away')
  expect(await readPartialText(job.id)).toMatchObject({ lines: [line('one')] })
  update.mockRestore()
  await write(progressOf([line('one'), line('two'), line('three')]))
  expect(await readPartialText(job.id)).toMatchObject({ lines: [line('one'), line('two'), line('three')] })
})

test('an engine without the lease leaves no text', async () => {
  const job = await makeJob(queue)
  const slow = await takeJob(queue)
  const write = createProgressWriter(queue, slow)
  await releaseJob(queue, slow)
  expect(await write(progressOf([line('late')]))).toBe(false)
  expect(await listTextChanges(queue, job.id)).toHaveLength(0)
})
