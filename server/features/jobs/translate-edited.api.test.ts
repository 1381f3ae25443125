import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import type { TranslatedSegment } from '#contract/translation.ts'
import { finishNextJob, takeJob } from '#testing/jobs.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { countJobs, deleteAllJobs } from '#testing/stored-work.ts'
import { makeTranslation } from '#testing/work.ts'
import { EditedRecording, editedSegments, lineAt, text } from '../recordings/testing/edited-recording.ts'

type Retry = BodyInput<typeof api.audio.translateSpeakers>['retry']

let server: TestServer
let call: EditedRecording
const headers = { Prefer: 'respond-async' }
const changed = { lines: [], includesFailed: false, includesChanged: true }
const timesOf = (index: number) => ({ start: lineAt(index).start, end: lineAt(index).end })

beforeAll(async () => {
  server = await startTestServer()
  call = new EditedRecording(server, await server.createSignedIn())
  await call.upload()
})
beforeEach(async () => {
  await deleteAllJobs(call.queue)
  await call.transcribe()
})
afterAll(() => server.close())

function translate(body: { retry?: Retry; force?: boolean } = {}, { isAsync = true } = {}) {
  const transcription_data = { transcription_id: call.transcriptionId }
  return server.call(api.audio.translateSpeakers, {
    body: { transcription_data, target_language: 'en', ...body },
    token: call.user.accessToken,
    ...(isAsync && { headers }),
  })
}

/** Finishes the queued translation: every line as transcribed, except for those given in `texts`. */
async function finish(texts: Record<number, string> = {}) {
  const segments = editedSegments.map(({ start, end, text: said }, index): TranslatedSegment => {
    return { start, end, text: texts[index] ?? said, translated_text: `in English ${index}`, error: null }
  })
  return finishNextJob(call.queue, makeTranslation({ segments }), ['en'])
}

const retryOf = async () => (await takeJob(call.queue)).params

test('a translation that has every line is answered again, whatever was edited and returned since', async () => {
  await translate()
  await finish()
  expect((await translate({}, { isAsync: false })).status).toBe(200)
  await call.change([text(1, 'changed')])
  await call.change([text(1, 'line 1')], 1)
  expect((await translate({}, { isAsync: false })).status).toBe(200)
  expect(await countJobs(call.queue, { state: 'queued' })).toBe(0)
})

test('lines that were edited since are translated, once', async () => {
  await translate()
  const last = await finish()
  await call.change([text(1, 'changed')])
  const [first, second] = [await translate(), await translate()]
  expect(first.status).toBe(202)
  expect(second.data).toEqual(first.data)
  const job = await takeJob(call.queue)
  expect(job.params).toMatchObject({ retry: { jobId: last.id, ...changed } })
  // The engine may already have read the lines.
  await call.change([text(2, 'changed too')], 1)
  expect((await translate()).data).not.toEqual(first.data)
})

test('what is complete after that is answered again', async () => {
  await translate()
  await finish()
  await call.change([text(1, 'changed')])
  await translate()
  await finish({ 1: 'changed' })
  expect((await translate({}, { isAsync: false })).data).toMatchObject({ segments: expect.arrayContaining([]) })
  expect(await countJobs(call.queue, { state: 'queued' })).toBe(0)
})

test('everything is translated where that is asked for', async () => {
  await translate()
  await finish()
  await call.change([text(1, 'changed')])
  await translate({ force: true })
  expect(await retryOf()).toMatchObject({ retry: null })
})

test('one edited, split or joined line can be translated; one that is no more cannot', async () => {
  await translate()
  await finish()
  const half = { ...lineAt(1), end: 3, text: 'half' }
  await call.change([
    { from: [1], lines: [half, { ...lineAt(1), start: 3, text: 'other half' }] },
    { from: [4, 6], lines: [{ ...lineAt(4), end: lineAt(6).end, text: 'joined' }] },
    text(8, 'corrected'),
  ])
  for (const line of [timesOf(1), timesOf(4)]) {
    const refused = await translate({ retry: line })
    expect(refused.error).toMatchObject({ code: 'not_found', error: 'The translation has no line of these times' })
  }
  const lines = [{ start: 2, end: 3 }, { start: 8, end: 13.5 }, timesOf(8)]
  for (const retry of lines) expect((await translate({ retry })).status).toBe(202)
  expect(await countJobs(call.queue, { state: 'queued' })).toBe(1)
  expect(await retryOf()).toMatchObject({
    retry: { lines, includesFailed: false, includesChanged: false, revision: 1 },
  })
})

test('what an open job was to translate again is added, and one of everything is joined', async () => {
  await translate()
  await finish()
  await call.change([text(1, 'changed')])
  await translate({ retry: 'failed' })
  await translate({ retry: timesOf(1) })
  const all = await translate()
  expect(await countJobs(call.queue, { state: 'queued' })).toBe(1)
  const job = await takeJob(call.queue)
  expect(job.params).toMatchObject({ retry: { lines: [timesOf(1)], includesFailed: true, includesChanged: true } })
  expect(all.data).toEqual({ job_id: job.id })
  const forced = await translate({ force: true })
  expect((await translate({ retry: timesOf(1) })).data).toEqual(forced.data)
  expect((await translate()).data).toEqual(forced.data)
})
