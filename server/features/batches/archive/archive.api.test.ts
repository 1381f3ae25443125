import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { transcriptionKey, translationKey } from '#data/jobs/work-keys.ts'
import { readZip } from '#testing/read-zip.ts'
import { storeDocument } from '#testing/recordings.ts'
import { recordCoverage, startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { storeFinishedJob } from '#testing/stored-work.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'

let server: TestServer
let user: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
})
afterAll(() => server.close())

interface StoredCall {
  name: string
  isTranscribed?: boolean
  isTranslated?: boolean
}

async function storeCall({ name, isTranscribed = true, isTranslated = false }: StoredCall): Promise<string> {
  const { queue } = server.services.work
  const { id: recordingId } = await storeDocument(queue.connection, { ownerId: user.id, name })
  const owner = { ownerId: user.id, recordingId }
  if (!isTranscribed) return recordingId
  const choice = { language: 'ps' as const, channelLanguages: null, names: [], speakerCount: null, splitVoices: [] }
  const transcriptionId = await storeFinishedJob(queue, {
    ...owner,
    params: { kind: 'transcribe', ...choice },
    workKey: transcriptionKey(recordingId, { ...choice, model: null }),
    outcome: { result: makeTranscription(), languages: ['ps'] },
  })
  if (!isTranslated) return recordingId
  const source = { sourceId: null, transcriptionId, sourceLanguage: 'auto', context: null }
  await storeFinishedJob(queue, {
    ...owner,
    params: { kind: 'translate', ...source, targetLanguage: 'en' },
    workKey: translationKey(transcriptionId, 'en', null),
    targetLanguage: 'en',
    outcome: { result: makeTranslation(), languages: ['ps', 'en'] },
  })
  return recordingId
}

async function download(body: object, token = user.accessToken) {
  const { path, method } = api.batches.export
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(new URL(path, server.url), { method, headers, body: JSON.stringify(body) })
  if (response.ok) recordCoverage(api.batches.export, 'success')
  return response
}

async function openArchive(response: Response): Promise<Map<string, string>> {
  return readZip(Buffer.from(await response.arrayBuffer()))
}

test('an archive holds each transcript in every format and language there is, and lists what is missing', async () => {
  const both = await storeCall({ name: 'both.wav', isTranslated: true })
  const spoken = await storeCall({ name: 'spoken.wav' })
  const silent = await storeCall({ name: '=cmd.wav', isTranscribed: false })
  const response = await download({
    selection: { ids: [both, spoken, silent] },
    formats: ['txt', 'json', 'docx'],
    target_languages: ['en', 'fr'],
  })
  expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="awaz-transcripts.zip"')
  const files = await openArchive(response)
  const { 'manifest.csv': manifest = '', ...transcripts } = Object.fromEntries(files)
  expect(Object.keys(transcripts).toSorted()).toEqual(
    ['both.en.docx', 'both.en.json', 'both.en.txt', 'spoken.docx', 'spoken.json', 'spoken.txt'].toSorted(),
  )
  expect(transcripts['both.en.txt']).toContain('hello my friend')
  expect(transcripts['spoken.txt']).toContain('سلام زما ملګریه')
  const rows = manifest.split('\r\n').filter(Boolean)
  expect(rows).toHaveLength(4)
  expect(rows[0]).toBe('\uFEFFrecording_id,name,uploaded_at,duration_seconds,status,files,note')
  const rowOf = (id: string) => rows.find((row) => row.startsWith(id))
  expect(rowOf(both)).toContain(',exported,both.en.txt; both.en.json; both.en.docx,Not translated to French')
  expect(rowOf(spoken)).toContain('"Not translated to English, French"')
  expect(rowOf(silent)).toContain(`,'=cmd.wav,`)
  expect(rowOf(silent)).toContain(',not transcribed,,It is not transcribed yet')
})

test('hostile and equal names become safe and different ones', async () => {
  const ids: string[] = []
  for (const name of ['../../up.wav', 'CON.wav', 'a\u202egpj.wav', 'same.wav', 'Same.mp3']) {
    ids.push(await storeCall({ name }))
  }
  const files = await openArchive(await download({ selection: { ids }, formats: ['txt'] }))
  expect([...files.keys()].toSorted()).toEqual(
    ['_.._up.txt', '_CON.txt', 'agpj.txt', 'manifest.csv', 'same (2).txt', 'Same.txt'].toSorted(),
  )
})

test('a transcript that cannot be read is told in the manifest, and the others are there', async () => {
  const { queue } = server.services.work
  const broken = await storeCall({ name: 'broken.wav', isTranscribed: false })
  await storeFinishedJob(queue, {
    ownerId: user.id,
    recordingId: broken,
    params: { kind: 'transcribe', language: 'ps', channelLanguages: null },
    workKey: `transcribe:${broken}:ps`,
    outcome: { result: { of: 'an older version' }, languages: ['ps'] },
  })
  const whole = await storeCall({ name: 'whole.wav' })
  const files = await openArchive(await download({ selection: { ids: [broken, whole] }, formats: ['srt'] }))
  expect([...files.keys()]).toEqual(['whole.srt', 'manifest.csv'])
  expect(files.get('manifest.csv')).toContain('broken.wav')
  expect(files.get('manifest.csv')).toContain(',failed,')
})

test('recordings of somebody else are not found, and what is asked for is checked', async () => {
  const id = await storeCall({ name: 'mine.wav' })
  const other = await server.createSignedIn()
  const body = { selection: { ids: [id] }, formats: ['txt' as const] }
  const refused = await server.call(api.batches.export, { body, token: other.accessToken })
  expect(refused.error.code).toBe('not_found')
  const empty = await server.call(api.batches.export, { body: { ...body, formats: [] }, token: user.accessToken })
  expect(empty.error.code).toBe('invalid_input')
})

test('a reader who leaves ends the work, and the next one is served', async () => {
  const ids: string[] = []
  for (let at = 0; at < 5; at += 1) ids.push(await storeCall({ name: `call ${at}.wav` }))
  const leaving = await download({ selection: { ids }, formats: ['txt', 'docx'] })
  await leaving.body?.cancel()
  const files = await openArchive(await download({ selection: { ids }, formats: ['txt'] }))
  expect(files.size).toBe(6)
})
