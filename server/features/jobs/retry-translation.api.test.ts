import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { failAttempt } from '#data/jobs/lease.ts'
import { finishNextJob, takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'
import { countJobs, deleteAllJobs } from '#testing/stored-work.ts'

let server: TestServer
let user: SignedInUser
let other: SignedInUser
let recordingId: string
let transcriptionId: string
const headers = { Prefer: 'respond-async' }
const line = { start: 0.5, end: 1.5 }
const queue = () => server.services.work.queue

type Body = Omit<BodyInput<typeof api.audio.translateSpeakers>, 'transcription_data'>

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
  other = await server.createSignedIn()
  recordingId = await uploadDialogue(server, user.accessToken)
})
beforeEach(async () => {
  await deleteAllJobs(queue())
  const body = { file_id: recordingId }
  await server.call(api.audio.transcribe, { body, token: user.accessToken, headers })
  const job = await finishNextJob(queue(), makeTranscription(), ['ps'])
  transcriptionId = job.id
})
afterAll(() => server.close())

function translate(body: Body = {}, { isAsync = true, token = user.accessToken } = {}) {
  return server.call(api.audio.translateSpeakers, {
    body: { transcription_data: { transcription_id: transcriptionId }, target_language: 'en', ...body },
    token,
    ...(isAsync && { headers }),
  })
}

/** Translates the transcription and finishes the job. */
async function translateOnce(body: Body = {}) {
  await translate(body)
  return finishNextJob(queue(), makeTranslation(), ['en'])
}

async function waitUntilQueued() {
  await vi.waitFor(async () => expect(await countJobs(queue(), { state: 'queued' })).toBe(1), 5000)
}

test.each<[string, Body['retry'], object]>([
  ['what failed', 'failed', { lines: [], includesFailed: true, includesChanged: false }],
  ['one line', line, { lines: [line], includesFailed: false, includesChanged: false }],
])('doing %s again is a new job that names the last translation', async (_name, retry, named) => {
  const last = await translateOnce()
  const answer = translate({ retry }, { isAsync: false })
  await waitUntilQueued()
  const job = await finishNextJob(queue(), makeTranslation({ translated_text: 'again' }), ['en'])
  expect(job.params).toMatchObject({ transcriptionId, retry: { jobId: last.id, ...named } })
  expect((await answer).data).toMatchObject({ translated_text: 'again' })
})

test('the repaired translation is the last one from then on', async () => {
  await translateOnce()
  await translate({ retry: 'failed' })
  const repaired = await finishNextJob(queue(), makeTranslation({ translated_text: 'again' }), ['en'])
  expect((await translate({}, { isAsync: false })).data).toMatchObject({ translated_text: 'again' })
  await translate({ retry: line })
  expect((await takeJob(queue())).params).toMatchObject({ retry: { jobId: repaired.id } })
})

test.each(['failed', line] as const)(
  'without an earlier translation there is nothing to do again (%o)',
  async (retry) => {
    const refused = await translate({ retry })
    expect(refused.status).toBe(404)
    expect(refused.error).toMatchObject({ code: 'not_found', error: 'Translation not found' })
    expect(await countJobs(queue(), { state: 'queued' })).toBe(0)
  },
)

test('a translation into another language, or with another context, is not the earlier one', async () => {
  await translateOnce()
  for (const body of [{ target_language: 'ur' }, { context: 'a call' }]) {
    expect((await translate({ ...body, retry: 'failed' })).error).toMatchObject({ error: 'Translation not found' })
  }
  await translateOnce({ context: 'a call' })
  expect((await translate({ context: ' a call ', retry: 'failed' })).status).toBe(202)
})

test('a line that the translation does not have is refused, and no work begins', async () => {
  await translateOnce()
  for (const retry of [
    { start: 0.5, end: 1.4 },
    { start: 7, end: 8 },
  ]) {
    const refused = await translate({ retry })
    expect(refused.status).toBe(404)
    expect(refused.error).toMatchObject({ code: 'not_found', error: 'The translation has no line of these times' })
  }
  expect(await countJobs(queue(), { state: 'queued' })).toBe(0)
})

test.each([
  { start: -1, end: 1 },
  { start: 0, end: 1e9 },
])('refuses the impossible line %o', async (retry) => {
  expect((await translate({ retry })).error).toMatchObject({ code: 'invalid_input' })
})

test('a line of a text that belongs to no transcription is named as the translation has it', async () => {
  const said = { start: 3, end: 4, text: 'سلام' }
  const body = { transcription_data: { segments: [said] }, target_language: 'en' }
  const send = (retry?: Body['retry']) =>
    server.call(api.audio.translateSpeakers, { body: { ...body, retry }, token: user.accessToken, headers })
  await send()
  const translated = { ...said, translated_text: 'peace', error: null }
  await finishNextJob(queue(), makeTranslation({ segments: [translated] }), ['en'])
  expect((await send({ start: 3, end: 5 })).error.error).toBe('The translation has no line of these times')
  expect((await send({ start: 3, end: 4 })).status).toBe(202)
  expect((await takeJob(queue())).params).toMatchObject({ retry: { lines: [{ start: 3, end: 4 }] } })
})

test('what failed and a line, asked for one after the other, become one job that does both', async () => {
  await translateOnce()
  await translate({ retry: 'failed' })
  await translate({ retry: line })
  expect(await countJobs(queue(), { state: 'queued' })).toBe(1)
  expect((await takeJob(queue())).params).toMatchObject({ retry: { lines: [line], includesFailed: true } })
})

test("another person's transcription is not found, and their own text knows nothing of this translation", async () => {
  await translateOnce()
  for (const retry of ['failed', line] as const) {
    const refused = await translate({ retry }, { token: other.accessToken })
    expect(refused.error).toMatchObject({ code: 'not_found', error: 'Transcription not found' })
  }
  const text = { transcription_data: { segments: [{ ...line, text: 'سلام' }] }, target_language: 'en' }
  await server.call(api.audio.translateSpeakers, { body: text, token: user.accessToken, headers })
  await finishNextJob(queue(), makeTranslation(), ['en'])
  const same = { body: { ...text, retry: 'failed' as const }, headers }
  const theirs = await server.call(api.audio.translateSpeakers, { ...same, token: other.accessToken })
  expect(theirs.error).toMatchObject({ code: 'not_found', error: 'Translation not found' })
})

test('a failed attempt responds with the reason, and leaves the earlier translation as it was', async () => {
  await translateOnce()
  const answer = translate({ retry: 'failed' }, { isAsync: false })
  await waitUntilQueued()
  const failure = new AppError('model_unavailable', 'The model is damaged', { help: 'Restore it' })
  await failAttempt(queue(), await takeJob(queue()), failure, { isFinal: true })
  expect((await answer).error).toMatchObject({ code: 'model_unavailable', help: 'Restore it' })
  expect((await translate({}, { isAsync: false })).data).toMatchObject({ translated_text: 'hello my friend' })
})
