import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { TranscriptExport } from '#contract/formats/transcript-document.ts'
import { transcriptExtensions, transcriptFormats, transcriptMimeTypes } from '#contract/transcript-formats.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { finishNextJob } from '#testing/jobs.ts'
import { readZip } from '#testing/read-zip.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
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

async function transcribe(result: TranscriptionResult = makeTranscription()): Promise<string> {
  await server.call(api.audio.transcribe, { body: { file_id: id, force: true }, token: token(), headers })
  return (await finishNextJob(queue(), result, ['ps', 'en'])).id
}

async function translate(transcriptionId: string) {
  await server.call(api.audio.translateSpeakers, {
    body: { transcription_data: { transcription_id: transcriptionId }, target_language: 'en' },
    token: token(),
    headers,
  })
  await finishNextJob(queue(), makeTranslation(), ['en'])
}

const exportAs = (query: QueryInput<typeof api.recordings.export>) =>
  server.call(api.recordings.export, { params: { id }, query, token: token() })

/** Downloads the Word file and returns its parts. */
async function downloadDocx(query: Record<string, string> = {}, language = 'en'): Promise<Map<string, string>> {
  const search = new URLSearchParams({ format: 'docx', ...query })
  const response = await fetch(`${server.url}/api/recordings/${id}/export?${search}`, {
    headers: { Authorization: `Bearer ${token()}`, Cookie: `awaz_language=${language}` },
  })
  expect(response.status).toBe(200)
  return readZip(Buffer.from(await response.arrayBuffer()))
}

async function downloadBody(query: Record<string, string> = {}, language?: string): Promise<string> {
  return (await downloadDocx(query, language)).get('word/document.xml') ?? ''
}

test('exports the transcript in every format, with a translation', async () => {
  await translate(await transcribe())
  for (const format of transcriptFormats) {
    const { status, headers: sent } = await exportAs({ format, target_language: 'en' })
    expect(status).toBe(200)
    expect(sent.get('Content-Type')).toBe(transcriptMimeTypes[format])
    expect(sent.get('Content-Disposition')).toContain(`filename="call.${transcriptExtensions[format]}"`)
  }
})

test('exports as uncertain what people said is so, and not what they verified; data files keep what was measured', async () => {
  const words = [{ text: 'angry', start: 1, end: 2, confidence: 0.1 }]
  const certain = { start: 0, end: 1, text: 'hello', confidence: 0.9 }
  const doubtful = { start: 1, end: 2, text: 'angry', confidence: 0.3, words }
  await transcribe(makeTranscription({ segments: [certain, doubtful], speaker_transcriptions: [], num_speakers: 1 }))
  const mark = (line: { start: number; end: number; text: string }, said: object) =>
    server.call(api.review.markLines, { params: { id }, body: { lines: [line], ...said }, token: token() })
  const { start, end, text } = doubtful
  await mark({ start, end, text }, { is_verified: true })
  await mark({ start: 0, end: 1, text: 'hello' }, { doubt: { is_uncertain: true } })
  const shown = (await exportAs({ format: 'srt', doubt: 'mark' })).raw
  expect(shown).toContain('hello [?]')
  expect(shown).not.toContain('angry[?]')
  expect((await exportAs({ format: 'srt', doubt: 'only' })).raw).not.toContain('angry')
  const data = TranscriptExport.parse((await exportAs({ format: 'json' })).raw)
  expect(data.transcription.segments.map(({ confidence }) => confidence)).toEqual([0.9, 0.3])
})

test('exports doubt as asked, and refuses uncertain lines alone where none is measured', async () => {
  const certain = { start: 0, end: 1, text: 'hello my brother', confidence: 0.9 }
  const words = [{ text: 'angry', start: 1, end: 2, confidence: 0.1 }]
  const doubtful = { start: 1, end: 2, text: 'angry', confidence: 0.3, words }
  await transcribe(makeTranscription({ segments: [certain, doubtful], speaker_transcriptions: [], num_speakers: 1 }))
  const ask = (doubt: 'mark' | 'only') => exportAs({ format: 'srt', doubt })
  expect((await ask('mark')).raw).toMatch(/hello my brother\n[^]*angry\[\?\]\n/)
  expect((await ask('only')).raw).toMatch(/^1\n.*\nangry\[\?\]\n$/)
  expect(await downloadBody({ doubt: 'mark' })).toMatch(/<w:u w:val="dotted"[^>]*\/>[^]*>angry</)
  await transcribe()
  expect((await ask('mark')).status).toBe(200)
  expect((await ask('only')).error.code).toBe('conflict')
})

test('exports nothing that is not there yet', async () => {
  const early = await exportAs({})
  expect(early.error).toMatchObject({ code: 'conflict', help: 'Please transcribe audio first' })
  await transcribe()
  expect((await exportAs({ target_language: 'ur' })).error.code).toBe('conflict')
})

test('refuses a format or a choice that it does not know', async () => {
  for (const query of ['format=pdf', 'notes=maybe', 'doubt=some']) {
    const response = await fetch(`${server.url}/api/recordings/${id}/export?${query}`, {
      headers: { Authorization: `Bearer ${token()}` },
    })
    expect([query, response.status]).toEqual([query, 400])
  }
})

test('JSON says where the transcript comes from, what people edited, and their notes', async () => {
  await transcribe()
  const transcriptionId = await transcribe()
  const lines = [{ start: 2, end: 3, text: 'hello my sister', speaker: 'Speaker B' }]
  const body = { transcription_id: transcriptionId, revision: 0, changes: [{ from: [1], lines }] }
  await server.call(api.editing.changeLines, { params: { id }, body, token: token() })
  await server.call(api.editing.addNote, { params: { id }, body: { time: 1, text: 'who?' }, token: token() })
  const { raw } = await exportAs({ format: 'json' })
  const shown = TranscriptExport.parse(raw)
  expect(shown.audio?.sha256).toMatch(/^[\da-f]{64}$/)
  expect(shown.version).toMatchObject({ transcription_id: transcriptionId, number: 2, count: 2 })
  expect(shown.edited_lines).toEqual([{ start: 2, end: 3, text: 'hello my sister', written_text: 'hello my brother' }])
  expect(shown.notes).toMatchObject([{ time: 1, text: 'who?' }])
  expect(shown.transcription.segments[1]?.text).toBe('hello my sister')
  const without = TranscriptExport.parse((await exportAs({ format: 'json', notes: 'false' })).raw)
  expect(without.notes).toBeUndefined()
})

test('the dialogue has the notes unless they are left out', async () => {
  await transcribe()
  await server.call(api.editing.addNote, { params: { id }, body: { time: 1, text: 'who?' }, token: token() })
  expect((await exportAs({ format: 'dialogue' })).raw).toMatch(
    /Right Channel: hello my brother\n[^]*\[00:00:01\] who\?\n$/,
  )
  expect((await exportAs({ format: 'dialogue', notes: 'false' })).raw).not.toContain('who?')
})

describe('a Word file', () => {
  test('sets right-to-left lines from the right, in their language', async () => {
    await translate(await transcribe())
    const xml = await downloadBody({ target_language: 'en' })
    const paragraph = /<w:p>(?:(?!<\/w:p>)[^])*سلام زما ملګریه/.exec(xml)?.[0] ?? ''
    expect(paragraph).toContain('<w:bidi/>')
    expect(paragraph).toContain('<w:rtl/>')
    expect(paragraph).toContain('w:bidi="ps-AF"')
    const translated = /<w:p>(?:(?!<\/w:p>)[^])*hello my friend/.exec(xml)?.[0] ?? ''
    expect(translated).not.toMatch(/<w:bidi\/>|<w:rtl\/>/)
    expect(translated).toContain('w:val="en-US"')
  })

  test('shades the keywords in their category and says what the shades mean, unless they are left out', async () => {
    const keywords = { threats: ['سلام'], sentiment: [], intent: ['brother'], custom: [] }
    await server.call(api.keywords.replace, { body: { keywords }, token: token() })
    await transcribe()
    const xml = await downloadBody()
    const shadeOf = (text: string) => new RegExp(`w:fill="(\\w+)"(?:(?!<w:r>)[^])*>${text}<`).exec(xml)?.[1]
    expect(shadeOf('سلام')).toBe(shadeOf(' Threats '))
    expect(shadeOf('brother')).toBe(shadeOf(' Intent '))
    expect(shadeOf('brother')).not.toBe(shadeOf('سلام'))
    expect(xml).not.toContain(' Sentiment ')
    expect(await downloadBody({ hits: 'false' })).not.toContain(' Threats ')
  })

  test('has the names, the notes, the edited lines and the fingerprint of the audio', async () => {
    const transcriptionId = await transcribe()
    const { data } = await server.call(api.recordings.get, { params: { id }, token: token() })
    const corrections = { names: { 'Speaker A': 'احمد', 'Speaker B': 'Gul & Sons' }, merged: {}, moved: [] }
    await server.call(api.recordings.correctSpeakers, {
      params: { id },
      body: { corrections, version: data.speaker_corrections_version },
      token: token(),
    })
    const lines = [{ start: 2, end: 3, text: 'hello my sister', speaker: 'Speaker B' }]
    const body = { transcription_id: transcriptionId, revision: 0, changes: [{ from: [1], lines }] }
    await server.call(api.editing.changeLines, { params: { id }, body, token: token() })
    await server.call(api.editing.addNote, {
      params: { id },
      body: { time: 1, text: 'who?\nدا څوک دی' },
      token: token(),
    })
    const parts = await downloadDocx()
    const xml = parts.get('word/document.xml') ?? ''
    for (const text of [
      'احمد',
      'Gul &amp; Sons',
      'hello my sister',
      'edited',
      '1 of 2',
      'who?',
      'دا څوک دی',
      '00:00:01',
    ]) {
      expect(xml).toContain(text)
    }
    expect(xml).toMatch(/SHA-256 of the audio[^]*>[\da-f]{64}</)
    expect(xml).toContain('<w:tblHeader/>')
    expect([...parts].find(([name]) => name.startsWith('word/header'))?.[1]).toContain('call.wav')
    expect([...parts].find(([name]) => name.startsWith('word/footer'))?.[1]).toContain('NUMPAGES')
    expect(await downloadBody({ notes: 'false' })).not.toContain('who?')
  })

  test('can be written from any text', async () => {
    const segments = [{ start: 0, end: 1, text: 'a\u0000\u0008<b>&\ud800 ﷺ' }]
    await transcribe(makeTranscription({ segments, speaker_transcriptions: [], num_speakers: 1 }))
    const xml = await downloadBody()
    expect(xml).toContain('&gt;&amp;\ufffd ﷺ<')
    // oxlint-disable-next-line no-control-regex -- what XML has no place for
    expect(xml).not.toMatch(/[\u0000-\u0008\ud800]/)
  })
})

test('a Word file is in the language that its reader chose in the browser, and the next one is English again', async () => {
  await translate(await transcribe())
  const persian = await downloadBody({ target_language: 'en' }, 'fa')
  for (const text of ['گفتگو', 'کانال چپ', 'انگلیسی', 'دربارهٔ این رونوشت']) expect(persian).toContain(text)
  expect(persian).toContain('<w:bidiVisual/>')
  for (const text of ['Conversation', 'Left Channel', 'Languages', 'About']) expect(persian).not.toContain(text)
  const english = await downloadBody({ target_language: 'en' })
  for (const text of ['Conversation', 'Left Channel', 'English', 'About this transcript'])
    expect(english).toContain(text)
  expect(english).not.toContain('<w:bidiVisual/>')
})
