import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { noSpeakerCorrections, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'

const [a, b, c] = ['Speaker A', 'Speaker B', 'Speaker C']

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

/** Returns a mono transcription in which these speakers take turns, one every two seconds. */
function makeMono(labels: string[]): TranscriptionResult {
  const segments = labels.map((speaker, index): Segment => {
    return { start: index * 2, end: index * 2 + 1.5, text: `line ${index}`, speaker }
  })
  return makeTranscription({
    segments,
    num_speakers: new Set(labels).size,
    speaker_transcriptions: [...new Set(labels)].map((speaker) => {
      const own = segments.filter((segment) => segment.speaker === speaker)
      const transcription = own.map(({ text }) => text).join(' ')
      const language = { detected_language: 'ps', language_probability: 0.9 }
      return { speaker, channel: 0, transcription, segment_count: own.length, ...language, segments: own }
    }),
    speaker_separation: { by: 'voices', band: 'telephone' },
  })
}

async function transcribe(result: TranscriptionResult) {
  await server.call(api.audio.transcribe, { body: { file_id: id, force: true }, token: token(), headers })
  return (await finishNextJob(queue(), result, ['ps'])).id
}

async function read() {
  return (await server.call(api.recordings.get, { params: { id }, token: token() })).data
}

function correct(corrections: Partial<SpeakerCorrections>, version: number) {
  const body = { corrections: { ...noSpeakerCorrections, ...corrections }, version }
  return server.call(api.recordings.correctSpeakers, { params: { id }, body, token: token() })
}

test('names, merges and moves stand with the recording, whose transcript stays as it was written', async () => {
  await transcribe(makeMono([a, b, c, a]))
  const { speaker_corrections: none, speaker_corrections_version: version } = await read()
  expect(none).toEqual(noSpeakerCorrections)
  const corrections = {
    names: { [a]: 'کریم', [b]: '$name' },
    merged: { [c]: b },
    moved: [{ start: 6, end: 7.5, speaker: b }],
  }
  const { status, data } = await correct(corrections, version)
  expect(status).toBe(200)
  expect(data.speaker_corrections).toEqual(corrections)
  expect(data.transcription?.segments.map(({ speaker }) => speaker)).toEqual([a, b, c, a])
  expect(await read()).toEqual(data)
  const { data: list } = await server.call(api.recordings.list, { token: token() })
  expect(list.recordings.map((recording) => recording.id)).toEqual([id])
})

test('the second of two conflicting changes is refused, with the advice to reload', async () => {
  await transcribe(makeMono([a, b]))
  const { speaker_corrections_version: version } = await read()
  expect((await correct({ names: { [a]: 'first' } }, version)).status).toBe(200)
  const refused = await correct({ names: { [a]: 'second' } }, version)
  expect(refused.status).toBe(409)
  expect(refused.error).toMatchObject({ code: 'conflict', help: expect.stringContaining('again') })
  const { speaker_corrections: kept, speaker_corrections_version: next } = await read()
  expect(kept.names).toEqual({ [a]: 'first' })
  expect((await correct({ names: { [a]: 'second' } }, next)).data.speaker_corrections.names).toEqual({ [a]: 'second' })
})

test('of many changes at once one is stored', async () => {
  await transcribe(makeMono([a, b]))
  const { speaker_corrections_version: version } = await read()
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => correct({ names: { [a]: `${index}` } }, version)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
})

test('what was seen before a transcription was replaced is refused', async () => {
  await transcribe(makeMono([a, b]))
  const { speaker_corrections_version: version } = await read()
  await transcribe(makeMono([b, a]))
  expect((await correct({ names: { [a]: 'one' } }, version)).status).toBe(409)
})

test.each<[string, Partial<SpeakerCorrections>]>([
  ['the name of a speaker that is not there', { names: { [c]: 'Nobody' } }],
  ['a merge into one', { merged: { [a]: c } }],
  ['a merge of one', { merged: { [c]: a } }],
  ['a merge with itself', { merged: { [a]: a } }],
  ['a circle of merges', { merged: { [a]: b, [b]: a } }],
  ['a line of other times', { moved: [{ start: 0, end: 1, speaker: b }] }],
  ['a move to nobody', { moved: [{ start: 0, end: 1.5, speaker: c }] }],
])('does not take %s', async (_, corrections) => {
  await transcribe(makeMono([a, b]))
  const { speaker_corrections_version: version } = await read()
  const { status, error } = await correct(corrections, version)
  expect(status).toBe(400)
  expect(error).toMatchObject({ code: 'invalid_input', error: expect.stringMatching(/Speaker|line/) })
  expect((await read()).speaker_corrections).toEqual(noSpeakerCorrections)
})

test('a recording that is not transcribed has no speakers to correct', async () => {
  const { status, error } = await correct({}, 0)
  expect([status, error.code]).toEqual([409, 'conflict'])
})

test('after another transcription speakers are who speaks at the same time, and lines stay moved', async () => {
  await transcribe(makeMono([a, b, c, a]))
  const corrections = { names: { [a]: 'Karim', [c]: 'Layla' }, merged: {}, moved: [{ start: 6, end: 7.5, speaker: b }] }
  await correct(corrections, (await read()).speaker_corrections_version)
  // The same voices, found in another order.
  await transcribe(makeMono([b, c, a, b]))
  const { speaker_corrections: carried, speaker_corrections_version: version } = await read()
  expect(carried).toEqual({
    names: { [b]: 'Karim', [a]: 'Layla' },
    merged: {},
    moved: [{ start: 6, end: 7.5, speaker: c }],
  })
  // Corrections made from here on belong to the new transcription.
  expect((await correct({ ...carried, merged: { [a]: b } }, version)).data.speaker_corrections.merged).toEqual({
    [a]: b,
  })
})

test('each version keeps the corrections that were made for it, also after others were made for another one', async () => {
  const first = await transcribe(makeMono([a, a, b]))
  const moved = [{ start: 2, end: 3.5, speaker: b }]
  await correct({ names: { [a]: 'Karim' }, moved }, (await read()).speaker_corrections_version)
  const second = await transcribe(makeMono([a]))
  await correct({ names: { [a]: 'Layla' } }, (await read()).speaker_corrections_version)
  const restore = (transcription_id: string) =>
    server.call(api.editing.restoreVersion, { params: { id, transcription_id }, token: token() })
  expect((await restore(first)).data.speaker_corrections).toMatchObject({ names: { [a]: 'Karim' }, moved })
  expect((await restore(second)).data.speaker_corrections).toMatchObject({ names: { [a]: 'Layla' }, moved: [] })
})

test('translations and the dialogue have the corrected speakers', async () => {
  const transcriptionId = await transcribe(makeMono([a, b, c]))
  const line = (index: number) => {
    return {
      start: index * 2,
      end: index * 2 + 1.5,
      text: `line ${index}`,
      translated_text: `in en ${index}`,
      error: null,
    }
  }
  const speakers = [a, b, c].map((speaker, index) => {
    return { speaker, translated_text: `in en ${index}`, error: null, segments: [line(index)] }
  })
  const translate = { transcription_data: { transcription_id: transcriptionId }, target_language: 'en' }
  await server.call(api.audio.translateSpeakers, { body: translate, token: token(), headers })
  await finishNextJob(queue(), makeTranslation({ num_speakers: 3, speaker_translations: speakers }), ['en'])
  await server.call(api.audio.diarize, { body: { file_id: id }, token: token(), headers })
  const dialogue_timeline = [a, b, c].map((speaker, index) => ({
    speaker,
    timestamp: index * 2,
    text: `line ${index}`,
  }))
  await finishNextJob(queue(), { num_speakers: 3, transcription_id: transcriptionId, dialogue_timeline })

  const corrections = { merged: { [c]: a }, moved: [{ start: 2, end: 3.5, speaker: a }] }
  const { data } = await correct(corrections, (await read()).speaker_corrections_version)
  expect(data.translations[0]).toMatchObject({ num_speakers: 1 })
  expect(data.translations[0]?.speaker_translations).toEqual([
    { speaker: a, translated_text: 'in en 0 in en 1 in en 2', error: null, segments: [0, 1, 2].map(line) },
  ])
  expect(data.diarization?.num_speakers).toBe(1)
  expect(data.diarization?.dialogue_timeline.map(({ speaker }) => speaker)).toEqual([a, a, a])

  // Repeating the request gives the same response.
  const again = await server.call(api.audio.translateSpeakers, { body: translate, token: token() })
  expect(again.data).toMatchObject({ speaker_translations: [{ speaker: a }] })
  const dialogue = await server.call(api.audio.diarize, { body: { file_id: id }, token: token() })
  expect(dialogue.data).toMatchObject({ num_speakers: 1 })
})

test('an exported file has the corrected speakers', async () => {
  await transcribe(makeMono([a, b, c]))
  await correct({ merged: { [c]: a } }, (await read()).speaker_corrections_version)
  const { raw } = await server.call(api.recordings.export, {
    params: { id },
    query: { format: 'json' },
    token: token(),
  })
  expect(raw).toMatchObject({
    transcription: { num_speakers: 2, segments: [{ speaker: a }, { speaker: b }, { speaker: a }] },
  })
})

test('nothing of it stays in the document of a deleted recording', async () => {
  await transcribe(makeMono([a, b]))
  await correct({ names: { [a]: 'Karim' } }, (await read()).speaker_corrections_version)
  await transcribe(makeMono([a, b]))
  await correct({ names: { [a]: 'Layla' } }, (await read()).speaker_corrections_version)
  await server.call(api.recordings.remove, { params: { id }, token: token() })
  const left = await recordingModel(queue().connection).findById(id).lean()
  expect(left).toMatchObject({ speakerCorrections: null, otherSpeakerCorrections: [] })
})

test('a recording of before there were corrections can be corrected', async () => {
  await transcribe(makeMono([a, b]))
  const fields = { speakerCorrections: 1, speakerCorrectionsVersion: 1 } as const
  await recordingModel(queue().connection).updateOne({ _id: id }, { $unset: fields })
  const { status } = await correct({ names: { [a]: 'Karim' } }, (await read()).speaker_corrections_version)
  expect(status).toBe(200)
})
