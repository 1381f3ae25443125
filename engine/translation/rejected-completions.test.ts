import { expect, test } from 'vitest'
import type { TranslationProfile } from '#engine/models/model-entry.ts'
import { remoteTranslationModels } from '#engine/models/remote-models.ts'
import { makeTranscription } from '#testing/work.ts'
import { openTestPool, remoteSettings, startServer } from './remote/testing/remote-lines.ts'
import type { ReceivedRequest } from './remote/testing/fake-server.ts'
import { translateSegments, translateSpeakers } from './translate.ts'
import type { SavedTranslation, TranslationCheckpoint } from './translation-memory.ts'
import { segmentsOf } from './testing/sentences.ts'

/** A request for one line, or for several numbered ones. */
interface CompletionRequestBody {
  text: string
  /** The whole message that contains the line. */
  message: string
  isNumbered: boolean
  isRetry: boolean
  seed: unknown
}

/** Creates a translator whose server responds with what `reply` returns, because a good model does not produce bad completions. */
async function translatorOf(
  reply: (request: CompletionRequestBody) => string,
  profile: TranslationProfile = { form: 'chat' },
) {
  const requests: CompletionRequestBody[] = []
  const server = await startServer(({ body }, response) => {
    const request = readRequestBody(body)
    requests.push(request)
    response.end(JSON.stringify({ choices: [{ message: { content: reply(request) }, finish_reason: 'stop' }] }))
  })
  const { translation } = remoteTranslationModels(remoteSettings([server.address], { model: 'Scripted' }))
  const translator = openTestPool([server.address]).use({ ...translation, profile })
  return { translator, requests }
}

function readRequestBody({ messages, temperature, seed }: ReceivedRequest['body']): CompletionRequestBody {
  const [system, message] = [messages[0]?.content ?? '', messages.at(-1)?.content ?? '']
  const text = message.split(/Translate only .*:\n/u).at(-1) ?? ''
  return { text, message, isNumbered: system.includes('Several lines come numbered'), isRetry: temperature !== 0, seed }
}

const languages = { sourceLanguage: 'ps', targetLanguage: 'en' }
const lines = (count: number) => segmentsOf(...Array.from({ length: count }, (_, index) => `دا کرښه ده ${index}`))
const refusal = 'I am unable to translate the given text.'

test('a rejected completion is retried once with another prompt', async () => {
  const { translator, requests } = await translatorOf(({ isRetry }) => (isRetry ? 'This is line 0' : refusal))
  const done = await translateSegments({ segments: lines(1), ...languages, translator })
  expect(done).toMatchObject([{ translated_text: 'This is line 0', error: null }])
  expect(requests.map(({ isRetry }) => isRetry)).toEqual([false, true])
})

test('a line that is rejected twice has the reason, and the others continue', async () => {
  const { translator } = await translatorOf(({ text }) => (text.endsWith('1') ? refusal : `This is ${text.at(-1)}`))
  const done = await translateSegments({ segments: lines(3), ...languages, translator })
  expect(done[1]).toEqual({
    start: 2,
    end: 3,
    text: 'دا کرښه ده 1',
    translated_text: '',
    error: 'The translation model declined to translate this text.',
    not_translated: { reason: 'refusal' },
  })
  expect(done.map(({ error }) => error === null)).toEqual([true, false, true])
})

test('ten consecutive rejected lines end the job with the name of the model, and finished lines are kept', async () => {
  const { translator, requests } = await translatorOf(({ text }) => (text.endsWith(' 0') ? 'This is line 0' : refusal))
  const done = await translateSegments({ segments: lines(30), ...languages, translator })
  expect(done).toHaveLength(30)
  expect(done[0]).toMatchObject({ translated_text: 'This is line 0', error: null })
  expect(done[10]).toMatchObject({ not_translated: { reason: 'refusal' } })
  expect(done[11]).toMatchObject({
    // Users who read this at the desk cannot choose a translation model.
    error: expect.stringMatching(
      /^The model Scripted gave ten completions in a row .* Ask an administrator for another translation model\.$/u,
    ),
    not_translated: { reason: 'failed', detail: 'left_out' },
  })
  expect(requests).toHaveLength(1 + 10 * 2)
})

test('where no line was translated, the job fails with the name of the model', async () => {
  const { translator } = await translatorOf(() => refusal)
  await expect(translateSegments({ segments: lines(30), ...languages, translator })).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringMatching(/^The model Scripted gave ten completions in a row/u),
  })
})

test('a translated line resets the count', async () => {
  const { translator } = await translatorOf(({ text }) => (/[09]$/u.test(text) ? `This is ${text.slice(-2)}` : refusal))
  const done = await translateSegments({ segments: lines(25), ...languages, translator })
  expect(done.at(-1)).toMatchObject({ not_translated: { reason: 'refusal' } })
})

test('a chat has the preceding lines, whose translations are part of the memory’s key', async () => {
  const saved: SavedTranslation[] = []
  const checkpoint: TranslationCheckpoint = { load: async () => saved, save: async (entry) => void saved.push(entry) }
  const { translator, requests } = await translatorOf(() => 'This is the line')
  const segments = segmentsOf('زه راغلم', 'زه راغلم', 'زه راغلم')
  await translateSegments({ segments, ...languages, translator, checkpoint })
  expect(requests[1]?.message).toMatch(
    /^Said before, for context only:\nزه راغلم\n\nTranslate only this line:\nزه راغلم$/u,
  )
  expect(new Set(saved.map(({ key }) => key)).size).toBe(3)
  await translateSegments({ segments, ...languages, translator, checkpoint })
  expect(requests).toHaveLength(3)
  await translateSegments({ segments, ...languages, translator, checkpoint, glossary: [{ source: 'زه', target: 'I' }] })
  expect(requests).toHaveLength(6)
})

test('lines are translated in batches where the profile says so', async () => {
  const { translator, requests } = await translatorOf(({ text }) => text.replaceAll('دا کرښه ده', 'This is line'), {
    form: 'chat',
    batch: true,
  })
  const done = await translateSegments({ segments: lines(10), ...languages, translator })
  expect(done.map(({ translated_text }) => translated_text)).toEqual(
    Array.from({ length: 10 }, (_, index) => `This is line ${index}`),
  )
  expect(requests.map(({ isNumbered }) => isNumbered)).toEqual([true, true])
})

test('lines of a batch whose numbers do not match, or that are rejected, are translated one by one', async () => {
  const profile: TranslationProfile = { form: 'chat', batch: true }
  const wrong = await translatorOf(({ isNumbered }) => (isNumbered ? 'This is one line' : 'This is it'), profile)
  const done = await translateSegments({ segments: lines(3), ...languages, translator: wrong.translator })
  expect(done.map(({ translated_text }) => translated_text)).toEqual(['This is it', 'This is it', 'This is it'])
  expect(wrong.requests).toHaveLength(4)
  const one = await translatorOf(({ isNumbered }) => (isNumbered ? `1. This\n2. ${refusal}` : 'This is it'), profile)
  const two = await translateSegments({ segments: lines(2), ...languages, translator: one.translator })
  expect(two.map(({ translated_text }) => translated_text)).toEqual(['This', 'This is it'])
})

test('only the failed lines of an earlier translation are translated again', async () => {
  const segments = lines(4)
  const good = await translatorOf(({ text }) => (text.endsWith('0') ? 'This is line 0' : refusal))
  const first = await translateSegments({ segments, ...languages, translator: good.translator })
  const result = {
    translated_text: '',
    original_text: '',
    source_language: 'ps',
    target_language: 'en',
    num_speakers: 1,
    speaker_translations: [],
    segments: first,
    model: 'scripted',
    provenance: null,
  }
  const { translator, requests } = await translatorOf(({ text, isRetry, seed }) =>
    isRetry ? `This is ${text.at(-1)} of ${String(seed)}` : refusal,
  )
  const transcription = makeTranscription({ segments, speaker_transcriptions: [] })
  const translate = async (named: { start: number; end: number }[], includesFailed: boolean) => {
    const earlier = { result, lines: named, includesFailed, includesChanged: false }
    const options = { transcription, ...languages, translator, earlier, seedOffset: 5 }
    return (await translateSpeakers(options)).segments
  }
  const one = await translate([{ start: 4, end: 5 }], false)
  expect(one.map(({ translated_text }) => translated_text)).toEqual(['This is line 0', '', 'This is 2 of 13', ''])
  expect(requests.map(({ isRetry }) => isRetry)).toEqual([false, true])
  const all = await translate([], true)
  expect(all.map(({ error }) => error)).toEqual([null, null, null, null])
  expect(all[0]?.translated_text).toBe('This is line 0')
})
