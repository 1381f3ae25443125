import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type CallResult, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'
import { countJobs, deleteAllJobs } from '#testing/stored-work.ts'

let server: TestServer
let user: SignedInUser
const respondAsync = { Prefer: 'respond-async' }

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
})
beforeEach(() => deleteAllJobs(queue()))
afterAll(() => server.close())

const queue = () => server.services.work.queue
const segment = { start: 0, end: 1, text: 'سلام' }

function translateSpeakers(transcription_data: object) {
  const callAny = server.call as (spec: EndpointSpec, input: object) => Promise<CallResult<EndpointSpec>> // what no client of ours sends
  const body = { transcription_data, target_language: 'en' }
  return callAny(api.audio.translateSpeakers, { body, token: user.accessToken, headers: respondAsync })
}

test.each([
  [{ ...segment, start: -5 }, 'The times of segments are seconds from the start and never negative'],
  [{ ...segment, end: 1e300 }, 'The times of segments are at most 1000000 seconds'],
  [{ ...segment, start: 3, end: 2 }, 'A segment must not end before it begins'],
  [{ ...segment, language: '__proto__' }, 'Not a known language code'],
])(
  'a transcription to translate with impossible times or languages is refused with the reason (%#)',
  async (wrong, sentence) => {
    const speaker = { speaker: 'A', transcription: '' }
    const data = [{ segments: [wrong] }, { speaker_transcriptions: [{ ...speaker, segments: [segment, wrong] }] }]
    for (const each of data) {
      const refused = await translateSpeakers(each)
      expect(refused.status).toBe(400)
      expect(refused.error).toMatchObject({ code: 'invalid_input', details: [sentence] })
    }
    expect(await countJobs(queue())).toBe(0)
  },
)

test.each(['__proto__', '../../x', 'constructor', 'xx', ''])('is refused with the language "%s"', async (language) => {
  const speaker = { speaker: 'A', transcription: 'سلام', detected_language: language }
  const data = [{ detected_language: language, segments: [segment] }, { speaker_transcriptions: [speaker] }]
  for (const each of data) {
    expect((await translateSpeakers(each)).error).toMatchObject({ details: ['Not a known language code'] })
  }
})

test('a transcription to translate is taken with the languages GET /api/languages names, or none', async () => {
  for (const detected_language of ['ps', 'ur', null]) {
    expect((await translateSpeakers({ detected_language, segments: [segment] })).status).toBe(202)
  }
})

test('a translation whose result an older version stored and nobody can read is answered without it, and made anew', async () => {
  const data = { segments: [segment] }
  const id = String(((await translateSpeakers(data)).raw as { job_id: string }).job_id) // the answer of respond-async
  await finishNextJob(
    queue(),
    makeTranslation({ segments: [{ ...segment, start: -1, translated_text: 'x', error: null }] }),
  )
  const read = await server.call(api.jobs.get, { params: { id }, token: user.accessToken })
  expect(read.data).toMatchObject({ state: 'done', result: null })
  expect((await translateSpeakers(data)).raw).not.toEqual({ job_id: id })
})

test('translating nothing asks for a transcription first', async () => {
  const empty = await server.call(api.audio.translateSpeakers, {
    body: { transcription_data: { transcription: ' ' } },
    token: user.accessToken,
  })
  expect(empty.error).toMatchObject({ code: 'invalid_input', error: 'Please transcribe audio first' })
  const unknown = await server.call(api.audio.translateSpeakers, {
    body: { transcription_data: { transcription_id: 'a'.repeat(24) } },
    token: user.accessToken,
  })
  expect(unknown.error.code).toBe('not_found')
})

test('the text of a stored transcription is translated by its id, as if it had been sent', async () => {
  const recordingId = await uploadDialogue(server, user.accessToken)
  const { accessToken: token } = user
  const ask = { body: { file_id: recordingId }, token, headers: respondAsync }
  await server.call(api.audio.transcribe, ask)
  const { id: transcription_id } = await finishNextJob(queue(), makeTranscription({ transcription: 'سلام ورور' }), [
    'ps',
  ])
  const languages = { source_language: 'ps', target_language: 'en', recording_id: recordingId }
  const byId = { body: { transcription_id, ...languages }, headers: respondAsync }
  const accepted = await server.call(api.audio.translate, { ...byId, token })
  expect(accepted.status).toBe(202)
  const withText = { body: { text: 'سلام ورور', ...languages }, headers: respondAsync }
  expect((await server.call(api.audio.translate, { ...withText, token })).raw).toEqual(accepted.raw)
  const other = await server.createSignedIn()
  const refused = await server.call(api.audio.translate, {
    body: { transcription_id },
    token: other.accessToken,
  })
  expect(refused.error).toMatchObject({ code: 'not_found', error: 'Transcription not found' })
})

test('neither a text nor a transcription asks for a transcription first', async () => {
  const refused = await server.call(api.audio.translate, { body: {}, token: user.accessToken })
  expect(refused.error).toMatchObject({ code: 'invalid_input', details: ['Please transcribe audio first'] })
})

test('16 MB of transcription are taken', async () => {
  const segments = Array.from({ length: 9000 }, (_, at) => ({ start: at, end: at + 1, text: 'x'.repeat(100) }))
  const data = { segments, transcription: 'y'.repeat(14 * 1024 * 1024) }
  const answer = await server.call(api.audio.translateSpeakers, {
    body: { transcription_data: data },
    token: user.accessToken,
    headers: respondAsync,
  })
  expect(answer.status).toBe(202)
})
