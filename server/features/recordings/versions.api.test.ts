import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { summarizeTranscriptions } from '#data/migrations/summarize-transcriptions.ts'
import { openEvents } from '#testing/event-stream.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { patchJob } from '#testing/stored-work.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'

let server: TestServer
let user: SignedInUser
let id: string

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
  id = await uploadDialogue(server, user.accessToken)
})
afterAll(() => server.close())

const queue = () => server.services.work.queue
const token = () => user.accessToken
const headers = { Prefer: 'respond-async' }

/** A transcription of one line. */
function makeLine(text: string): TranscriptionResult {
  const segment = { start: 0, end: 1, text, speaker: 'Speaker A', channel: 0 }
  return makeTranscription({ segments: [segment], transcription: text, model: `model of ${text}` })
}

async function transcribe(text: string, body: object = {}, languages = ['ps']): Promise<string> {
  await server.call(api.audio.transcribe, { body: { file_id: id, force: true, ...body }, token: token(), headers })
  return (await finishNextJob(queue(), makeLine(text), languages)).id
}

async function translate(transcriptionId: string, text: string) {
  const body = { transcription_data: { transcription_id: transcriptionId }, target_language: 'en', force: true }
  await server.call(api.audio.translateSpeakers, { body, token: token(), headers })
  await finishNextJob(queue(), makeTranslation({ translated_text: text }), ['en'])
}

async function read() {
  return (await server.call(api.recordings.get, { params: { id }, token: token() })).data
}

async function listVersions() {
  return (await server.call(api.editing.listVersions, { params: { id }, token: token() })).data.versions
}

function restore(transcriptionId: string) {
  return server.call(api.editing.restoreVersion, { params: { id, transcription_id: transcriptionId }, token: token() })
}

test('a recording that was not transcribed has no version', async () => {
  expect(await listVersions()).toEqual([])
  expect(await read()).toMatchObject({ version_count: 0, transcription_request: null, languages: [] })
})

test('every transcription stays, newest first, with what was asked for and its size', async () => {
  const first = await transcribe('one two three', {
    channel_languages: ['ps', 'auto'],
    names: ['Ahmad'],
    split_voices: [false, true],
  })
  const second = await transcribe('four', { language: 'en' })
  await translate(first, 'old')
  const [newest, oldest] = await listVersions()
  expect(newest).toMatchObject({
    transcription_id: second,
    is_current: true,
    line_count: 1,
    word_count: 1,
    edited_line_count: 0,
    model: 'model of four',
    target_languages: [],
    request: { language: 'en', channel_languages: null, names: [], split_voices: [], speaker_count: null, model: null },
  })
  expect(oldest).toMatchObject({
    transcription_id: first,
    is_current: false,
    word_count: 3,
    target_languages: ['en'],
    request: { channel_languages: ['ps', 'auto'], names: ['Ahmad'], split_voices: [false, true] },
  })
  expect(await read()).toMatchObject({ version_count: 2, transcription_request: { language: 'en' } })
})

test('a transcription that an older version stored is counted from its result by the migration', async () => {
  const old = await transcribe('one two')
  await patchJob(queue(), old, { summary: null })
  expect(await listVersions()).toEqual([])
  await summarizeTranscriptions.migrate(queue().connection, [toObjectId(old)])
  expect(await listVersions()).toMatchObject([{ word_count: 2, line_count: 1, model: 'model of one two' }])
})

test('a version is read with the corrected speakers', async () => {
  const first = await transcribe('one')
  const { speaker_corrections_version: version } = await read()
  const corrections = { ...noSpeakerCorrections, moved: [{ start: 0, end: 1, speaker: 'Speaker B' }] }
  await server.call(api.recordings.correctSpeakers, {
    params: { id },
    body: { corrections, version },
    token: token(),
  })
  const { data } = await server.call(api.editing.getVersion, {
    params: { id, transcription_id: first },
    token: token(),
  })
  expect(data).toMatchObject({ segments: [{ text: 'one', speaker: 'Speaker B' }] })
})

test('a restored version is the one of details, list and export, until a newer transcription finishes', async () => {
  const first = await transcribe('one', {}, ['ps', 'en'])
  await transcribe('two', {}, ['ur'])
  const { status, data } = await restore(first)
  expect(status).toBe(200)
  expect(data).toMatchObject({ transcription_id: first, language: 'ps', languages: ['ps', 'en'] })
  expect(data.transcription?.transcription).toBe('one')
  expect(await read()).toEqual(data)
  const { data: list } = await server.call(api.recordings.list, { token: token() })
  expect(list.recordings).toMatchObject([{ transcription_id: first, languages: ['ps', 'en'] }])
  const exported = await server.call(api.recordings.export, {
    params: { id },
    query: { format: 'txt' },
    token: token(),
  })
  expect(exported.raw).toContain('one')
  expect(exported.raw).not.toContain('two')
  expect(await listVersions()).toMatchObject([{ is_current: false }, { is_current: true, transcription_id: first }])
  const third = await transcribe('three')
  expect(await read()).toMatchObject({ transcription_id: third, version_count: 3 })
})

test('other tabs hear of a restored version', async () => {
  const first = await transcribe('one')
  await transcribe('two')
  const { events, close } = await openEvents(server.url, user.accessToken)
  try {
    const change = expect.objectContaining({ type: 'recording', recording_id: id, change: 'changed' })
    await vi.waitFor(() => expect(events).not.toHaveLength(0), 5000)
    expect(events).not.toContainEqual(change)
    await restore(first)
    await vi.waitFor(() => expect(events).toContainEqual(change), 5000)
  } finally {
    close()
  }
})

test('the dialogue of a restored version has its words', async () => {
  const first = await transcribe('one')
  await transcribe('two')
  await restore(first)
  await server.call(api.audio.diarize, { body: { file_id: id }, token: token(), headers })
  const { params } = await finishNextJob(queue(), { num_speakers: 1, transcription_id: first, dialogue_timeline: [] })
  expect(params).toMatchObject({ kind: 'diarize', transcriptionId: first })
})

test('a dialogue in other languages than those of the current version has words of its own', async () => {
  await transcribe('one')
  await server.call(api.audio.diarize, { body: { file_id: id, language: 'ur' }, token: token(), headers })
  const { params } = await finishNextJob(queue(), { num_speakers: 1, dialogue_timeline: [] })
  expect(params).toMatchObject({ kind: 'diarize', language: 'ur', transcriptionId: null })
})

test('details have the dialogue of the current version where there is one', async () => {
  const first = await transcribe('one')
  await server.call(api.audio.diarize, { body: { file_id: id }, token: token(), headers })
  await finishNextJob(queue(), { num_speakers: 1, transcription_id: first, dialogue_timeline: [] })
  const second = await transcribe('two')
  expect((await read()).diarization).toMatchObject({ transcription_id: first })
  await server.call(api.audio.diarize, { body: { file_id: id }, token: token(), headers })
  await finishNextJob(queue(), { num_speakers: 1, transcription_id: second, dialogue_timeline: [] })
  expect((await read()).diarization).toMatchObject({ transcription_id: second })
  expect((await restore(first)).data.diarization).toMatchObject({ transcription_id: first })
})

test('a translation of the current version has precedence over a newer one of another version', async () => {
  const first = await transcribe('one')
  await translate(first, 'first')
  const second = await transcribe('two')
  expect((await read()).translations).toMatchObject([{ translated_text: 'first', transcription_id: first }])
  await translate(second, 'second')
  expect((await read()).translations).toMatchObject([{ translated_text: 'second', transcription_id: second }])
  await translate(first, 'first again')
  expect((await read()).translations).toMatchObject([{ translated_text: 'second' }])
  expect((await restore(first)).data.translations).toMatchObject([{ translated_text: 'first again' }])
})

test('a correction of speakers that was based on another version is refused', async () => {
  const first = await transcribe('one')
  await transcribe('two')
  const { speaker_corrections_version: version } = await read()
  await restore(first)
  const refused = await server.call(api.recordings.correctSpeakers, {
    params: { id },
    body: { corrections: noSpeakerCorrections, version },
    token: token(),
  })
  expect(refused.error.code).toBe('conflict')
})

test('only a transcription of this very recording can be read or restored', async () => {
  const own = await transcribe('one')
  const other = await uploadDialogue(server, user.accessToken)
  const unknown = { id, transcription_id: newId() }
  const elsewhere = { id: other, transcription_id: own }
  const missing = { id: newId(), transcription_id: own }
  for (const params of [unknown, elsewhere, missing]) {
    expect((await server.call(api.editing.getVersion, { params, token: token() })).error.code).toBe('not_found')
    expect((await server.call(api.editing.restoreVersion, { params, token: token() })).error.code).toBe('not_found')
  }
  const { error } = await server.call(api.editing.listVersions, { params: { id: newId() }, token: token() })
  expect(error.code).toBe('not_found')
})
