import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { noSpeakerCorrections, type MovedLine } from '#contract/speaker-corrections.ts'
import { JobParams } from '#data/jobs/job-params.ts'
import { loadSource } from '#data/jobs/translation-source.ts'
import { finishNextJob, takeJob } from '#testing/jobs.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { makeTranslation } from '#testing/work.ts'
import { a, b, EditedRecording, editedSegments, lineAt, text } from './testing/edited-recording.ts'

let server: TestServer
let call: EditedRecording

/** Line 2 split in two, with the second part said by the other speaker. */
const parts = [
  { ...lineAt(2), end: 4.75, text: 'first part' },
  { ...lineAt(2), start: 4.75, text: 'second part', speaker: b },
]

beforeAll(async () => {
  server = await startTestServer()
  call = new EditedRecording(server, await server.createSignedIn())
  await call.upload()
})
beforeEach(async () => {
  await call.transcribe()
  await call.change([text(0, 'corrected'), { from: [2], lines: parts }])
})
afterAll(() => server.close())

const headers = { Prefer: 'respond-async' }
const token = () => call.user.accessToken

async function move(moved: MovedLine[]) {
  const { speaker_corrections_version: version } = await call.details()
  const body = { corrections: { ...noSpeakerCorrections, moved }, version }
  return server.call(api.recordings.correctSpeakers, { params: { id: call.id }, body, token: token() })
}

test('a version has its edited lines, and says how many of the engine’s were changed', async () => {
  const params = { id: call.id, transcription_id: call.transcriptionId }
  const { data } = await server.call(api.editing.getVersion, { params, token: token() })
  expect(data.segments.slice(0, 4)).toMatchObject([{ text: 'corrected' }, { text: 'line 1' }, ...parts])
  expect(data.transcription).toContain('corrected\nline 1\nfirst part\nsecond part')
  const { data: list } = await server.call(api.editing.listVersions, { params: { id: call.id }, token: token() })
  expect(list.versions[0]).toMatchObject({ transcription_id: call.transcriptionId, edited_line_count: 2 })
  await call.change([{ from: [2], lines: null }], 1)
  const { data: next } = await server.call(api.editing.listVersions, { params: { id: call.id }, token: token() })
  expect(next.versions[0]?.edited_line_count).toBe(1)
})

test.each(['txt', 'srt', 'vtt', 'json'] as const)('an exported %s file has the edited lines', async (format) => {
  const options = { params: { id: call.id }, query: { format }, token: token() }
  const { raw } = await server.call(api.recordings.export, options)
  const content = typeof raw === 'string' ? raw : JSON.stringify(raw)
  expect(content).toContain('corrected')
  expect(content).toContain('second part')
})

test('a text to translate is the edited one', async () => {
  const body = { transcription_id: call.transcriptionId, target_language: 'en' }
  await server.call(api.audio.translate, { body, token: token(), headers })
  const params = JobParams.parse((await takeJob(call.queue)).params)
  const sourceId = params.kind === 'translate' ? params.sourceId : null
  expect(await loadSource(call.queue, call.user.id, sourceId ?? '')).toMatchObject({
    text: expect.stringContaining('corrected\nline 1\nfirst part\nsecond part'),
  })
})

test('a dialogue has the edited lines and their speakers, made before or after', async () => {
  await server.call(api.audio.diarize, { body: { file_id: call.id, force: true }, token: token(), headers })
  const dialogue_timeline = editedSegments.map(({ speaker = '', start, text: said }) => {
    return { speaker, timestamp: start, text: said }
  })
  const transcription_id = call.transcriptionId
  await finishNextJob(call.queue, { num_speakers: 2, transcription_id, dialogue_timeline })
  const expected = [
    { speaker: a, timestamp: 0, text: 'corrected' },
    { speaker: b, timestamp: 2, text: 'line 1' },
    { speaker: a, timestamp: 4, text: 'first part' },
    { speaker: b, timestamp: 4.75, text: 'second part' },
  ]
  expect((await call.details()).diarization?.dialogue_timeline.slice(0, 4)).toEqual(expected)
  const again = await server.call(api.audio.diarize, { body: { file_id: call.id }, token: token() })
  expect('dialogue_timeline' in again.data && again.data.dialogue_timeline.slice(0, 4)).toEqual(expected)
})

test('a translation has its lines under the speakers that people gave them, and keeps the texts it was made of', async () => {
  const body = { transcription_data: { transcription_id: call.transcriptionId }, target_language: 'en' }
  await server.call(api.audio.translateSpeakers, { body, token: token(), headers })
  const line = { start: 0, end: 1.5, text: 'line 0', translated_text: 'in English', error: null }
  const moved = { start: 2, end: 3.5, text: 'line 1', translated_text: 'moved', error: null }
  const speakers = [
    { speaker: a, translated_text: 'in English', error: null, segments: [line] },
    { speaker: b, translated_text: 'moved', error: null, segments: [moved] },
  ]
  await finishNextJob(call.queue, makeTranslation({ speaker_translations: speakers, segments: [line, moved] }), ['en'])
  await call.change([{ from: [1], lines: [{ ...lineAt(1), speaker: a }] }], 1)
  const [shown] = (await call.details()).translations
  expect(shown?.speaker_translations).toEqual([
    { speaker: a, translated_text: 'in English moved', error: null, segments: [line, moved] },
  ])
})

test('lines of the edited transcript and of the engine’s can be moved, others cannot', async () => {
  const [, second] = parts
  const moved = [
    { start: second?.start ?? 0, end: second?.end ?? 0, speaker: a },
    { start: 4, end: 5.5, speaker: b },
  ]
  expect((await move(moved)).status).toBe(200)
  const params = { id: call.id, transcription_id: call.transcriptionId }
  const { data } = await server.call(api.editing.getVersion, { params, token: token() })
  expect(data.segments[3]).toMatchObject({ text: 'second part', speaker: a })
  const refused = await move([{ start: 4, end: 4.5, speaker: b }])
  expect(refused.error).toMatchObject({
    code: 'invalid_input',
    error: expect.stringContaining('no line from 4 to 4.5'),
  })
})

test('a move of an edited line outlives a new transcription', async () => {
  const [, second] = parts
  await move([{ start: second?.start ?? 0, end: second?.end ?? 0, speaker: a }])
  const segments = editedSegments.flatMap((segment, index) => (index === 2 ? parts : segment))
  await call.transcribe({
    ...(
      await server.call(api.editing.getVersion, {
        params: { id: call.id, transcription_id: call.transcriptionId },
        token: token(),
      })
    ).data,
    segments,
  })
  expect((await call.details()).speaker_corrections.moved).toEqual([{ start: 4.75, end: 5.5, speaker: a }])
})
