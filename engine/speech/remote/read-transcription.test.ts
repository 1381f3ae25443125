import { expect, test } from 'vitest'
import { readTranscription } from './read-transcription.ts'

function read(response: unknown, durationMs = 5000) {
  return readTranscription(Buffer.from(JSON.stringify(response)), durationMs)
}

const segment = { start: 0.5, end: 2.5, text: ' Good morning.', avg_logprob: -0.1, no_speech_prob: 0.02 }

test('reads segments with their metrics; words without timestamps share the segment by their letters', () => {
  const { segments, language, hasWordTimes } = read({ text: 'Good morning.', language: 'en', segments: [segment] })
  expect(language).toBe('en')
  expect(hasWordTimes).toBe(false)
  expect(segments).toEqual([
    {
      startMs: 500,
      endMs: 2500,
      text: 'Good morning.',
      meanLogProbability: -0.1,
      noSpeechProbability: 0.02,
      compressionRatio: expect.any(Number),
      words: [
        { text: 'Good', startMs: 500, endMs: 1167, confidence: Math.exp(-0.1) },
        { text: 'morning.', startMs: 1167, endMs: 2500, confidence: Math.exp(-0.1) },
      ],
    },
  ])
})

test.each([
  ['of the response', (words: object[]) => ({ text: 'Good morning.', segments: [segment], words })],
  ['of its segments', (words: object[]) => ({ text: 'Good morning.', segments: [{ ...segment, words }] })],
])('reads the words %s, with the punctuation that some servers omit', (_, respondWith) => {
  const words = [
    { word: 'Good', start: 0.6, end: 1 },
    { word: ' morning', start: 1.2, end: 9, probability: 0.5 },
  ]
  const { segments, hasWordTimes } = read(respondWith(words))
  expect(hasWordTimes).toBe(true)
  expect(segments[0]?.words).toEqual([
    { text: 'Good', startMs: 600, endMs: 1000, confidence: Math.exp(-0.1) },
    { text: 'morning.', startMs: 1200, endMs: 2500, confidence: 0.5 },
  ])
})

test('timestamps of words that do not match the text are ignored', () => {
  const words = [{ word: 'Bad', start: 0.6, end: 1 }]
  expect(read({ text: '', segments: [segment], words }).segments[0]?.words[0]).toMatchObject({
    text: 'Good',
    endMs: 1167,
  })
})

test('a response without metrics has none, and one without segments becomes one segment', () => {
  const { segments } = read({ text: 'Hello' })
  expect(segments).toMatchObject([
    { startMs: 0, endMs: 5000, meanLogProbability: null, noSpeechProbability: null, text: 'Hello' },
  ])
  expect(segments[0]?.words[0]?.confidence).toBeNull()
})

test('placeholder metrics are ignored', () => {
  const placeholders = { ...segment, avg_logprob: -1, no_speech_prob: -1, compression_ratio: -1 }
  expect(read({ text: '', segments: [placeholders] }).segments).toMatchObject([
    { meanLogProbability: null, noSpeechProbability: null },
  ])
})

test('clamps text that Whisper writes in the padding of a short window', () => {
  const late = { start: 4, end: 7.5, text: 'late' }
  expect(read({ text: 'late', segments: [late] }).segments).toMatchObject([{ startMs: 4000, endMs: 5000 }])
})

test('silence has no segments', () => {
  expect(read({ text: '', segments: [] }).segments).toEqual([])
  expect(read({ text: ' ', segments: null }).segments).toEqual([])
})

test.each([
  ['English', 'en'],
  ['pashto', 'ps'],
  ['fa', 'fa'],
  ['klingon', undefined],
])('the language %s is %s', (name, code) => {
  expect(read({ text: '', language: name }).language).toBe(code)
})

test.each([
  ['HTML', Buffer.from('<html>')],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ['a list', Buffer.from('[]')],
  ['no text', Buffer.from('{"segments":[]}')],
  ['a time that is not a number', Buffer.from('{"text":"a","segments":[{"text":"a","start":"0","end":1}]}')],
  ['a text without its segments', Buffer.from('{"text":"a","segments":[]}')],
])('rejects %s', (_, body) => {
  expect(() => readTranscription(body, 5000)).toThrow(
    expect.objectContaining({ name: 'ServerFailure', kind: 'faulty' }),
  )
})

test.each([
  ['after the window', [{ start: 60, end: 61, text: 'a' }]],
  ['before the window', [{ start: -5, end: 1, text: 'a' }]],
  ['backwards', [{ start: 4, end: 1, text: 'a' }]],
  [
    'out of order',
    [
      { start: 4, end: 5, text: 'a' },
      { start: 0, end: 1, text: 'b' },
    ],
  ],
])('rejects times %s', (_, segments) => {
  expect(() => read({ text: 'a', segments })).toThrow(/impossible times/)
})
