import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { sine, writeWav } from '#testing/audio.ts'
import { finishNextJob, takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { readBytes, upload, uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'
import { countJobs, deleteAllJobs } from '#testing/stored-work.ts'

let server: TestServer
let user: SignedInUser
let recordingId: string
const headers = { Prefer: 'respond-async' }

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
  recordingId = await uploadDialogue(server, user.accessToken)
})
beforeEach(() => deleteAllJobs(server.services.work.queue))
afterAll(() => server.close())

const queue = () => server.services.work.queue

test('speakers of a mono recording are separated by their voices, as many as requested', async () => {
  const path = join(server.config.dataDir, 'mono.wav')
  await writeWav(path, [sine(500)])
  const { body } = await upload(server, user.accessToken, { name: 'mono.wav', content: await readBytes(path) })
  const ask = { file_id: body.file_id, speaker_count: 3, split_voices: [true] }
  await server.call(api.audio.diarize, { body: ask, token: user.accessToken, headers })
  const { params } = await finishNextJob(queue(), { num_speakers: 0, dialogue_timeline: [] })
  expect(params).toMatchObject({ kind: 'diarize', speakerCount: 3, splitVoices: [] })
})

test('a transcription has the channels to split, and a dialogue those of its transcription', async () => {
  const ask = { file_id: recordingId, speaker_count: 3, split_voices: [false, true] }
  await server.call(api.audio.transcribe, { body: ask, token: user.accessToken, headers })
  const { params } = await finishNextJob(queue(), makeTranscription(), ['ps'])
  expect(params).toMatchObject({ speakerCount: null, splitVoices: [false, true] })
  const other = await server.call(api.audio.transcribe, {
    body: { file_id: recordingId },
    token: user.accessToken,
    headers,
  })
  expect(other.status).toBe(202)
  await takeJob(queue())
  await server.call(api.audio.diarize, {
    body: { file_id: recordingId },
    token: user.accessToken,
    headers,
  })
  const dialogue = await takeJob(queue())
  expect(dialogue.params).toMatchObject({ kind: 'diarize', speakerCount: null, splitVoices: [false, true] })
})

test.each([{ speaker_count: 0 }, { speaker_count: 9 }, { split_voices: [true, true, true] }])(
  'refuses to look for speakers with %o',
  async (choice) => {
    const body = { file_id: recordingId, ...choice }
    const { error } = await server.call(api.audio.transcribe, { body, token: user.accessToken })
    expect(error).toMatchObject({ code: 'invalid_input' })
  },
)

test('speakers of a stereo recording are separated', async () => {
  const answer = server.call(api.audio.diarize, { body: { file_id: recordingId }, token: user.accessToken })
  await vi.waitFor(async () => expect(await countJobs(queue(), { state: 'queued' })).toBe(1), 5000)
  await finishNextJob(queue(), {
    num_speakers: 1,
    dialogue_timeline: [{ speaker: 'Speaker A', timestamp: 0.5, text: 'سلام' }],
  })
  expect((await answer).data).toMatchObject({ num_speakers: 1 })
})

test('a dialogue without a word about languages uses those of the latest transcription', async () => {
  const languages = { language: 'ps', channel_languages: ['ps', 'en'] } as const
  await server.call(api.audio.transcribe, {
    body: { file_id: recordingId, ...languages, channel_languages: [...languages.channel_languages] },
    token: user.accessToken,
    headers,
  })
  const { id: transcriptionId } = await finishNextJob(queue(), makeTranscription())
  const diarize = (body: { language?: 'ur' }) =>
    server.call(api.audio.diarize, {
      body: { file_id: recordingId, ...body },
      token: user.accessToken,
      headers,
    })
  await diarize({})
  expect((await takeJob(queue())).params).toEqual({
    kind: 'diarize',
    hasText: true,
    language: 'ps',
    channelLanguages: ['ps', 'en'],
    transcriptionId,
    model: null,
    speakerCount: null,
    splitVoices: [],
  })
  await diarize({ language: 'ur' })
  expect((await takeJob(queue())).params).toMatchObject({ language: 'ur', channelLanguages: null })
})
