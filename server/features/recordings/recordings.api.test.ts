import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { renewLease } from '#data/jobs/lease.ts'
import { finishNextJob, takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { listAudioFiles, uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'
import { countJobs, listSources } from '#testing/stored-work.ts'

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

async function transcribe(result = makeTranscription()) {
  await server.call(api.audio.transcribe, { body: { file_id: id, force: true }, token: token(), headers })
  return (await finishNextJob(queue(), result, ['ps', 'en'])).id
}

async function translate(transcriptionId: string, target: string) {
  await server.call(api.audio.translateSpeakers, {
    body: { transcription_data: { transcription_id: transcriptionId }, target_language: target },
    token: token(),
    headers,
  })
  await finishNextJob(queue(), makeTranslation({ target_language: target, translated_text: `to ${target}` }), [target])
}

test('lists recordings newest first, by page and by name', async () => {
  const second = await uploadDialogue(server, token())
  await server.call(api.recordings.update, {
    params: { id: second },
    body: { name: 'د غونډې غږ (1).mp3' },
    token: token(),
  })
  const all = await server.call(api.recordings.list, { token: token() })
  expect(all.data.recordings.map((recording) => recording.id)).toEqual([second, id])
  expect(all.data).toMatchObject({ total: 2, page: 1, per_page: 10, pages: 1 })
  const page = await server.call(api.recordings.list, { query: { page: 2, per_page: 1 }, token: token() })
  expect(page.data.recordings.map((recording) => recording.id)).toEqual([id])
  const found = await server.call(api.recordings.list, { query: { search: 'غږ (1' }, token: token() })
  expect(found.data.recordings.map((recording) => recording.id)).toEqual([second])
})

test('a search may hold any character, a null byte too', async () => {
  const found = await server.call(api.recordings.list, { query: { search: 'call\0' }, token: token() })
  expect(found.data.total).toBe(0)
})

test('a new name loses line breaks and what turns the direction of letters round', async () => {
  const body = { name: 'c\u202eall\r\nX: y\0.wav' }
  const renamed = await server.call(api.recordings.update, { params: { id }, body, token: token() })
  expect(renamed.data.name).toBe('callX: y.wav')
  const empty = await server.call(api.recordings.update, { params: { id }, body: { name: '\u202e' }, token: token() })
  expect([empty.status, empty.error.error]).toEqual([400, 'Please enter a name'])
})

test('shows what the engine made of a recording, the latest of each', async () => {
  await transcribe(makeTranscription({ num_speakers: 1 }))
  const transcriptionId = await transcribe()
  await translate(transcriptionId, 'en')
  await translate(transcriptionId, 'ur')
  const { data } = await server.call(api.recordings.get, { params: { id }, token: token() })
  expect(data).toMatchObject({ language: 'ps', transcription_id: transcriptionId, job: null, diarization: null })
  expect(data.transcription?.num_speakers).toBe(2)
  expect(data.translations.map((translation) => translation.translated_text).toSorted()).toEqual(['to en', 'to ur'])
  expect(data.target_languages.toSorted()).toEqual(['en', 'ur'])
})

test('shows the open job', async () => {
  await server.call(api.audio.transcribe, { body: { file_id: id }, token: token(), headers })
  const { data } = await server.call(api.recordings.get, { params: { id }, token: token() })
  expect(data.job).toMatchObject({ kind: 'transcribe', state: 'queued', queue_position: 1 })
  await takeJob(queue())
})

test('deleting removes the file, the jobs and the texts, and stops running work', async () => {
  await translate(await transcribe(), 'en')
  await server.call(api.audio.translate, { body: { text: 'سلام', recording_id: id }, token: token(), headers })
  const running = await takeJob(queue())
  const files = await listAudioFiles(server)
  await server.call(api.recordings.remove, { params: { id }, token: token() })
  expect(await renewLease(queue(), running)).toBe(false)
  expect(await listAudioFiles(server)).toEqual(files.filter((name) => !name.startsWith(id)))
  expect(await countJobs(queue(), { ownerId: running.ownerId })).toBe(0)
  expect(await listSources(queue(), { ownerId: running.ownerId })).toEqual([])
  const afterwards = await server.call(api.recordings.get, { params: { id }, token: token() })
  expect(afterwards.error.code).toBe('not_found')
})

test('figures count recordings, seconds and languages of the user', async () => {
  await translate(await transcribe(), 'ur')
  const { data } = await server.call(api.recordings.stats, { token: token() })
  expect(data).toEqual({ totalFiles: 1, totalDuration: 2, languagesProcessed: 3 })
})

test('deleting the work of a user removes recordings and files', async () => {
  await translate(await transcribe(), 'en')
  await server.services.work.removeUserWork(user.id)
  expect((await server.call(api.recordings.list, { token: token() })).data.total).toBe(0)
  expect((await listAudioFiles(server)).some((name) => name.startsWith(id))).toBe(false)
})
