import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { engineModel } from '#data/engines/engine-model.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { failAttempt } from '#data/jobs/lease.ts'
import { newId } from '#data/ids.ts'
import { loadSource } from '#data/jobs/translation-source.ts'
import { finishNextJob, makeHeartbeat, takeJob } from '#testing/jobs.ts'
import { startTestServer, type CallResult, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'
import { countJobs, deleteAllJobs, listJobs } from '#testing/stored-work.ts'

let server: TestServer
let user: SignedInUser
let recordingId: string
const respondAsync = { Prefer: 'respond-async' }

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

const queue = () => server.services.work.queue

function transcribe(body: { language?: 'ps' | 'en' | 'auto' | 'multi'; force?: boolean } = {}, headers = {}) {
  return server.call(api.audio.transcribe, {
    body: { file_id: recordingId, ...body },
    token: user.accessToken,
    headers,
  })
}

function translate(body: { text: string; target_language?: string; source_language?: string }, headers = {}) {
  return server.call(api.audio.translate, { body, token: user.accessToken, headers })
}

async function waitUntilQueued(count = 1) {
  await vi.waitFor(async () => expect(await countJobs(queue(), { state: 'queued' })).toBe(count), 5000)
}

async function beginJob(body: Parameters<typeof transcribe>[0] = {}) {
  const { status, raw } = await transcribe(body, respondAsync)
  return { status, jobId: String((raw as { job_id?: string }).job_id) } // the answer of respond-async
}

async function engineSays(features: Partial<EngineFeatures>) {
  const model = { id: 'm', name: 'Model', is_demo: false, languages: ['ps', 'en'] }
  const heartbeat = makeHeartbeat({
    speech: model,
    translation: model,
    transcription: ['ps', 'en'],
    translation_sources: ['ps', 'en'],
    translation_targets: ['ps', 'en'],
    diarization: true,
    language_detection: true,
    ...features,
  })
  await recordHeartbeat(server.services.database.connection, 'engine', heartbeat)
}

test('a plain call waits for the result', async () => {
  const answer = transcribe()
  await waitUntilQueued()
  const job = await finishNextJob(queue(), makeTranscription())
  expect((await answer).data).toMatchObject({ num_speakers: 2, detected_language: 'ps' })
  expect(job.params).toMatchObject({ kind: 'transcribe', language: 'ps' })
})

test('with respond-async the response names the job at once, and its result is read later', async () => {
  const { status, jobId } = await beginJob()
  expect(status).toBe(202)
  const waiting = await server.call(api.jobs.get, { params: { id: jobId }, token: user.accessToken })
  expect(waiting.data).toMatchObject({ state: 'queued', queue_position: 1, recording_id: recordingId, result: null })
  await finishNextJob(queue(), makeTranscription(), ['ps', 'en'])
  const done = await server.call(api.jobs.get, { params: { id: jobId }, token: user.accessToken })
  expect(done.data).toMatchObject({ state: 'done', queue_position: null, result: { num_speakers: 2 } })
})

test('a repeat joins the work, and is answered by the finished result without new work', async () => {
  const first = await beginJob()
  expect(await beginJob()).toEqual(first)
  expect((await beginJob({ language: 'en' })).jobId).not.toBe(first.jobId)
  await finishNextJob(queue(), makeTranscription())
  expect((await transcribe()).data).toMatchObject({ num_speakers: 2 })
  expect(await countJobs(queue())).toBe(2)
})

test('force starts over, whether the work is running or finished', async () => {
  const first = await beginJob()
  const second = await beginJob({ force: true })
  expect(second.jobId).not.toBe(first.jobId)
  const cancelled = await server.call(api.jobs.get, { params: { id: first.jobId }, token: user.accessToken })
  expect(cancelled.data.state).toBe('cancelled')
  await finishNextJob(queue(), makeTranscription())
  expect((await beginJob({ force: true })).jobId).not.toBe(second.jobId)
})

describe.each(['transcribe', 'diarize', 'translate', 'translateSpeakers'] as const)('%s', (name) => {
  const spec: EndpointSpec = api.audio[name]
  const bodies = {
    transcribe: () => ({ file_id: recordingId }),
    diarize: () => ({ file_id: recordingId }),
    translate: () => ({ text: 'سلام' }),
    translateSpeakers: () => ({ transcription_data: { transcription: 'سلام' } }),
  }

  function ask(more: object = {}) {
    const callAny = server.call as (spec: EndpointSpec, input: object) => Promise<CallResult<EndpointSpec>> // one of four endpoints
    return callAny(spec, { body: { ...bodies[name](), ...more }, token: user.accessToken })
  }

  test('responds to a failure with its reason', async () => {
    const answer = ask()
    await waitUntilQueued()
    await failAttempt(queue(), await takeJob(queue()), new AppError('no_audio', 'No sound'), { isFinal: true })
    expect((await answer).error).toMatchObject({ code: 'job_failed', error: 'No sound' })
  })

  test('responds that a model is missing or damaged', async () => {
    const answer = ask()
    await waitUntilQueued()
    const failure = new AppError('model_unavailable', 'The model is damaged', { help: 'Restore it' })
    await failAttempt(queue(), await takeJob(queue()), failure, { isFinal: true })
    expect((await answer).error).toMatchObject({ code: 'model_unavailable', help: 'Restore it' })
  })

  test('ends the wait when the job is cancelled', async () => {
    const answer = ask()
    await waitUntilQueued()
    const [job] = await listJobs(queue())
    const cancelled = await server.call(api.jobs.cancel, { params: { id: String(job?.id) }, token: user.accessToken })
    expect(cancelled.data.state).toBe('cancelled')
    expect((await answer).error.code).toBe('job_cancelled')
  })

  test('refuses more than one user may have waiting with 429, its reason and what to do', async () => {
    queue().limits.maxQueuedPerUser = 0
    try {
      const full = await ask()
      expect(full.status).toBe(429)
      expect(full.error).toMatchObject({
        code: 'too_many_jobs',
        error: 'You have 0 pieces of work waiting, the most one person may have',
        help: 'Wait until some of it is done, or cancel what you do not need, then try again.',
      })
    } finally {
      queue().limits.maxQueuedPerUser = 100
    }
  })

  test('refuses a full queue with 503, Retry-After and its reason', async () => {
    queue().limits.maxQueued = 0
    try {
      const full = await ask()
      expect(full.status).toBe(503)
      expect(full.error).toMatchObject({ code: 'queue_full', help: expect.stringContaining('try again') })
      expect(full.headers.get('Retry-After')).not.toBeNull()
    } finally {
      queue().limits.maxQueued = 1_000
    }
  })

  test('refuses what the active models cannot do', async () => {
    await engineSays({ transcription: ['en'], translation_targets: ['ps'] })
    const code = name.startsWith('translate') ? 'unsupported_pair' : 'unsupported_language'
    const refused = await ask()
    expect(refused.status).toBe(422)
    expect(refused.error).toMatchObject({ code, help: expect.any(String) })
    expect(await countJobs(queue())).toBe(0)
  })
})

test.each(['auto', 'multi'] as const)('a model that cannot detect languages is refused "%s"', async (language) => {
  await engineSays({ language_detection: false })
  expect((await transcribe({ language })).error).toMatchObject({
    code: 'unsupported_language',
    error: 'The active speech model cannot tell languages apart',
  })
  await engineSays({ transcription: [] })
  expect((await transcribe({ language }, respondAsync)).status).toBe(202)
})

test('what the active models cannot do is refused before it waits', async () => {
  await engineSays({ transcription: ['en'], translation_targets: ['en'] })
  const speech = await transcribe({ language: 'ps' })
  expect(speech.error).toMatchObject({ code: 'unsupported_language', error: expect.stringContaining('Pashto') })
  const pair = await translate({ text: 'hello', target_language: 'ur' })
  expect(pair.status).toBe(422)
  expect(pair.error).toMatchObject({ code: 'unsupported_pair', help: expect.stringContaining('English') })
  const same = await translate({ text: 'hello', source_language: 'en', target_language: 'en' })
  expect(same.error.code).toBe('unsupported_pair')
  const unknown = await translate({ text: 'hello', target_language: 'xx' })
  expect(unknown.error.code).toBe('unsupported_pair')
  await engineSays({ speech: null, translation: null })
  expect((await transcribe()).error.code).toBe('model_unavailable')
  expect((await translate({ text: 'hello', target_language: 'ps' })).error.code).toBe('model_unavailable')
  expect(await countJobs(queue())).toBe(0)
})

test('a text to translate is stored with its owner, and the payload carries its id alone', async () => {
  const answer = translate({ text: 'سلام زما ملګریه' })
  await waitUntilQueued()
  const job = await finishNextJob(queue(), makeTranslation(), ['en'])
  expect((await answer).data).toMatchObject({ translated_text: 'hello my friend' })
  expect(JSON.stringify(job.params)).not.toContain('سلام')
  const { sourceId } = job.params as { sourceId: string } // of the job just taken
  expect(await loadSource(queue(), user.id, sourceId)).toEqual({ kind: 'text', text: 'سلام زما ملګریه' })
  expect(await loadSource(queue(), newId(), sourceId)).toBeNull()
})

test('a stored transcription is translated by its id, and belongs to its recording', async () => {
  const { jobId } = await beginJob()
  await finishNextJob(queue(), makeTranscription(), ['ps'])
  const answer = server.call(api.audio.translateSpeakers, {
    body: { transcription_data: { transcription_id: jobId }, target_language: 'en', context: 'a call' },
    token: user.accessToken,
  })
  await waitUntilQueued()
  const job = await finishNextJob(queue(), makeTranslation(), ['en'])
  expect((await answer).status).toBe(200)
  expect(job).toMatchObject({ params: { transcriptionId: jobId, sourceId: null, context: 'a call' } })
  expect(job.recordingId).toBe(recordingId)
})

test('a transcription sent along is translated speaker by speaker, and its lines keep their languages', async () => {
  const segment = { start: 0, end: 1, text: 'سلام', language: 'ur' }
  const answer = server.call(api.audio.translateSpeakers, {
    body: { transcription_data: { segments: [{ ...segment, speaker: 'Speaker B' }] } },
    token: user.accessToken,
  })
  await waitUntilQueued()
  const job = await finishNextJob(queue(), makeTranslation(), ['en'])
  expect((await answer).status).toBe(200)
  const { sourceId } = job.params as { sourceId: string } // of the job just taken
  const source = await loadSource(queue(), job.ownerId, sourceId)
  expect(source).toMatchObject({ speakers: [{ speaker: 'Speaker B', segments: [segment] }] })
})
