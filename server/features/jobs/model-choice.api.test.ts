import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { engineModel } from '#data/engines/engine-model.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { finishNextJob, makeHeartbeat } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { deleteAllJobs } from '#testing/stored-work.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

const small = { id: 'small', name: 'Small', languages: ['ps'], detects_languages: false }
const large = { id: 'large', name: 'Large', languages: ['ps', 'en', 'ur'], detects_languages: true }

let server: TestServer
let user: SignedInUser
let recordingId: string

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
  recordingId = await uploadDialogue(server, user.accessToken)
})
beforeEach(async () => {
  await deleteAllJobs(server.services.work.queue)
  await engineModel(server.services.database.connection).deleteMany({})
})
afterAll(() => server.close())

function engineHas(id: string, models: (typeof small)[]) {
  const speech = { ...small, is_demo: false }
  const features = { speech, transcription: ['ps'], speech_models: models }
  return recordHeartbeat(server.services.database.connection, id, makeHeartbeat(features))
}

function transcribe(body: object) {
  const headers = { Prefer: 'respond-async' }
  return server.call(api.audio.transcribe, {
    body: { file_id: recordingId, ...body },
    token: user.accessToken,
    headers,
  })
}

test('the models to choose from are those of all live engines', async () => {
  expect((await server.call(api.system.languages)).data.transcription_models).toEqual([])
  await engineHas('one', [small])
  await engineHas('two', [{ ...small, languages: ['en'] }, large])
  expect((await server.call(api.system.languages)).data.transcription_models).toEqual([
    { ...small, languages: ['ps', 'en'] },
    large,
  ])
})

test('a chosen model is part of the work, and shown with the result', async () => {
  await engineHas('one', [small, large])
  const first = await transcribe({ model: 'large', channel_languages: ['en', 'auto'] })
  const second = await transcribe({ channel_languages: ['ps', 'ps'] })
  const third = await transcribe({ model: 'large', channel_languages: ['ps', 'ps'] })
  expect([first, second, third].map(({ status }) => status)).toEqual([202, 202, 202])
  expect(new Set([first, second, third].map(({ raw }) => JSON.stringify(raw))).size).toBe(3)
  const { params } = await finishNextJob(server.services.work.queue, makeTranscription(), ['en'])
  expect(params).toMatchObject({ kind: 'transcribe', model: 'large' })
  const { data } = await server.call(api.recordings.get, { params: { id: recordingId }, token: user.accessToken })
  expect(data.transcription_request).toMatchObject({ model: 'large', channel_languages: ['en', 'auto'] })
})

test('a dialogue has the words of the chosen model', async () => {
  await engineHas('one', [small, large])
  await transcribe({ model: 'large', language: 'en' })
  const transcription = await finishNextJob(server.services.work.queue, makeTranscription(), ['en'])
  const headers = { Prefer: 'respond-async' }
  const diarize = () =>
    server.call(api.audio.diarize, { body: { file_id: recordingId }, token: user.accessToken, headers })
  expect((await diarize()).status).toBe(202)
  const { params } = await finishNextJob(server.services.work.queue, { num_speakers: 1, dialogue_timeline: [] })
  expect(params).toMatchObject({ kind: 'diarize', model: 'large', transcriptionId: transcription.id })
})

test('a model that no live engine has is refused', async () => {
  await engineHas('one', [small])
  const { status, error } = await transcribe({ model: 'large' })
  expect(status).toBe(422)
  expect(error).toMatchObject({ code: 'model_unavailable', error: 'The speech model "large" is not installed' })
})

test.each([
  ['a language that it does not know', { language: 'en' }, 'The model Small cannot transcribe English'],
  ['that of a channel', { channel_languages: ['ps', 'ur'] }, 'The model Small cannot transcribe Urdu'],
  ['languages to be detected', { language: 'auto' }, 'The model Small cannot tell languages apart'],
])('a model is refused for %s', async (_, body, message) => {
  await engineHas('one', [small, large])
  const { error } = await transcribe({ model: 'small', ...body })
  expect(error).toMatchObject({ code: 'unsupported_language', error: message, help: expect.stringContaining('Pashto') })
  expect((await transcribe({ model: 'large', ...body })).status).toBe(202)
})

test('while no engine is live, any choice waits for one', async () => {
  expect((await transcribe({ model: 'large' })).status).toBe(202)
})
