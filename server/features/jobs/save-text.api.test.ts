import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { trimTexts } from '#data/jobs/text-limit.ts'
import { saveSource } from '#data/jobs/translation-source.ts'
import { finishNextJob, makeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranslation } from '#testing/work.ts'
import { deleteAllJobs, listSources, readJob } from '#testing/stored-work.ts'

let server: TestServer
let user: SignedInUser
const headers = { Prefer: 'respond-async' }
/** 300 KB that do not pack well. */
const longText = Array.from({ length: 30_000 }, (_, at) => Math.sin(at).toString(36).slice(3, 13)).join('')

beforeAll(async () => {
  server = await startTestServer({ config: { quotaBytes: 400_000 } })
  user = await server.createSignedIn()
})
afterAll(() => server.close())

function translate(text: string, recordingId?: string) {
  return server.call(api.audio.translate, {
    body: { text, target_language: 'en', source_language: 'ps', recording_id: recordingId },
    token: user.accessToken,
    headers,
  })
}

test('texts of a recording count against the quota, and give it back with their recording', async () => {
  const recordingId = await uploadDialogue(server, user.accessToken) // 128 KB
  expect((await translate('short', recordingId)).status).toBe(202)
  const refused = await translate(longText, recordingId)
  expect([refused.status, refused.error.code, refused.error.error]).toEqual([507, 'disk_full', 'Your storage is full'])
  expect(await listSources(server.services.work.queue, { ownerId: user.id })).toHaveLength(1)
  await server.call(api.recordings.remove, { params: { id: recordingId }, token: user.accessToken })
  const next = await uploadDialogue(server, user.accessToken)
  expect((await translate(longText.slice(0, 200_000), next)).status).toBe(202)
})

test('a full disk refuses texts before they are stored', async () => {
  const free = vi.spyOn(server.services.work.audioStore, 'freeBytes').mockResolvedValue(0)
  expect((await translate('hello')).error.code).toBe('disk_full')
  const speakers = await server.call(api.audio.translateSpeakers, {
    body: { transcription_data: { transcription: 'سلام' }, target_language: 'en' },
    token: user.accessToken,
    headers,
  })
  expect(speakers.error.code).toBe('disk_full')
  free.mockRestore()
})

test('the oldest texts of no recording go with their translations; those still needed, and of others, stay', async () => {
  const { queue } = server.services.work
  await deleteAllJobs(queue)
  const ownerId = (await server.createSignedIn()).id
  const other = user.id
  const save = (text: string, owner = ownerId) =>
    saveSource(queue, { ownerId: owner, recordingId: null }, { kind: 'text', text })
  const params = (sourceId: string) =>
    ({
      kind: 'translate',
      sourceId,
      transcriptionId: null,
      sourceLanguage: 'ps',
      targetLanguage: 'en',
      context: null,
    }) as const
  const [oldest, waiting] = [await save('oldest'), await save('waiting')]
  const done = await makeJob(queue, { ownerId, params: params(oldest) })
  await finishNextJob(queue, makeTranslation())
  const queued = await makeJob(queue, { ownerId, params: params(waiting) })
  const [newer, newest] = [await save('newer'), await save('newest')]
  const foreign = await save('foreign', other)
  await trimTexts(queue, ownerId, { maxTexts: 2, maxBytes: 1_000_000 })
  const left = [...(await listSources(queue, { ownerId })), ...(await listSources(queue, { ownerId: other }))]
  expect(left).toEqual(expect.arrayContaining([waiting, newer, newest, foreign]))
  expect(left).not.toContain(oldest)
  expect(await readJob(queue, done.id)).toBeNull()
  expect(await readJob(queue, queued.id)).not.toBeNull()
})
