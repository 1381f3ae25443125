import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import type { EditedLine, LineChange } from '#contract/line-edits.ts'
import { angry, bomb, segmentsOf } from '#engine/translation/testing/sentences.ts'
import { startTestEngine, type TestEngine } from '#testing/engine.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

// The server over HTTP, the queue and an engine with the demo model.
let server: TestServer
let engine: TestEngine | undefined
let user: SignedInUser
let id: string
let transcriptionId: string
let revision = 0

const speaker = 'Speaker A'
const segments = segmentsOf(angry.ps, bomb.ps, angry.ps).map((segment) => ({ ...segment, speaker }))

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
  id = await uploadDialogue(server, user.accessToken)
  const options = { body: { file_id: id }, token: user.accessToken, headers: { Prefer: 'respond-async' } }
  await server.call(api.audio.transcribe, options)
  const entry = { speaker, channel: 0, transcription: '', segment_count: 3, language_probability: null, segments }
  const speaker_transcriptions = [{ ...entry, detected_language: 'ps' }]
  const made = makeTranscription({ segments, num_speakers: 1, speaker_transcriptions })
  transcriptionId = (await finishNextJob(server.services.work.queue, made, ['ps'])).id
  const { connection } = server.services.work.queue
  engine = await startTestEngine({ connection, dataDir: server.config.dataDir })
})
afterAll(async () => {
  await engine?.stop()
  await server.close()
})

type Body = Omit<BodyInput<typeof api.audio.translateSpeakers>, 'transcription_data'>

/** Translates the transcription and returns each line with its translation. */
async function translate(body: Body = {}) {
  const transcription_data = { transcription_id: transcriptionId }
  const options = { body: { transcription_data, target_language: 'en', ...body }, token: user.accessToken }
  const { data } = await server.call(api.audio.translateSpeakers, options)
  if ('job_id' in data) throw new Error('The translation was not awaited')
  expect(data.speaker_translations).toMatchObject([{ speaker, segments: data.segments }])
  return data.segments.map(({ text, translated_text }) => [text, translated_text])
}

async function change(changes: LineChange[]) {
  const body = { transcription_id: transcriptionId, revision, changes }
  const { data } = await server.call(api.editing.changeLines, { params: { id }, body, token: user.accessToken })
  revision = data.revision
}

function line(index: number, overrides: Partial<EditedLine> = {}): EditedLine {
  const { start, end, text } = segments[index] ?? { start: 0, end: 0, text: '' }
  return { start, end, text, speaker, ...overrides }
}

const timesOf = ({ start, end }: EditedLine) => ({ start, end })

test('an edited line is translated alone, or with all that were edited, and the others stay as they were', async () => {
  const [one, two] = [
    [angry.ps, angry.en],
    [bomb.ps, bomb.en],
  ]
  expect(await translate()).toEqual([one, two, one])

  // Corrected: the stale translation states the line's earlier text until the line is translated.
  await change([
    { from: [0], lines: [line(0, { text: bomb.ps })] },
    { from: [2], lines: [line(2, { text: bomb.ps })] },
  ])
  expect(await translate({ retry: timesOf(line(0)) })).toEqual([two, two, one])
  expect(await translate()).toEqual([two, two, two])

  // Split: the translation of the whole line stays until each part is translated.
  const middle = (line(1).start + line(1).end) / 2
  const parts = [line(1, { end: middle, text: angry.ps }), line(1, { start: middle })]
  await change([{ from: [1], lines: parts }])
  expect(await translate({ retry: { start: middle, end: line(1).end } })).toEqual([two, two, two, two])
  expect(await translate()).toEqual([two, one, two, two])

  // Joined, and restored to the text that the engine wrote.
  await change([
    { from: [0, 1], lines: [line(0, { end: line(1).end, text: angry.ps })] },
    { from: [2], lines: null },
  ])
  expect(await translate({ retry: { start: line(0).start, end: line(1).end } })).toEqual([one, two])
  expect(await translate()).toEqual([one, one])
})
