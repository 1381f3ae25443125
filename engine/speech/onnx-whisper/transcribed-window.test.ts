import { expect, test } from 'vitest'
import type { DecodedText } from './decode-text.ts'
import { toTranscribedWindow, splitAtTimestamps } from './transcribed-window.ts'

/** Text tokens are below 10; timestamps start at 20, in steps of 20 ms: 70 is 1 s, 120 is 2 s. */
const firstTimestamp = 20

function split(tokens: number[], audioMs = 4000) {
  return splitAtTimestamps(tokens, { firstTimestamp, audioMs })
}

interface Piece {
  startMs: number
  endMs: number
  text: string
}

/** Returns the result for segments whose words have equal durations and one token each. */
function read(pieces: Piece[], decoded: Partial<DecodedText> = {}, audioMs = 4000) {
  let next = 0
  const segments = pieces.map(({ startMs, endMs, text }) => {
    const texts = text.split(' ').filter((word) => word !== '')
    const wordMs = (endMs - startMs) / texts.length
    const words = texts.map((word, at) => ({
      text: word,
      startMs: startMs + at * wordMs,
      endMs: startMs + (at + 1) * wordMs,
      confidence: 1,
    }))
    return { startMs, endMs, words, indices: words.map(() => next++) }
  })
  const tokens = Array.from({ length: next }, () => 1)
  const logProbabilities = tokens.map((_, at) => -at)
  const defaults = { tokens, logProbabilities, meanLogProbability: -0.5, noSpeechProbability: 0.2, isFinished: true }
  return toTranscribedWindow({ ...defaults, ...decoded }, segments, audioMs)
}

/** Returns `count` different words. */
function words(count: number): string {
  return Array.from({ length: count }, (_, at) => ((at + count) * 7_919_104_729).toString(36)).join(' ')
}

test('splits a text at its timestamps', () => {
  expect(split([20, 1, 2, 70, 95, 3, 120])).toEqual([
    { startMs: 0, endMs: 1000, indices: [1, 2] },
    { startMs: 1500, endMs: 2000, indices: [5] },
  ])
})

test('a text without a last timestamp lasts until the end of the audio', () => {
  expect(split([70, 1])).toEqual([{ startMs: 1000, endMs: 4000, indices: [1] }])
  expect(split([1, 2])).toEqual([{ startMs: 0, endMs: 4000, indices: [0, 1] }])
})

test('times are limited to the audio, which is followed by padding', () => {
  expect(split([70, 1, 520], 2500)).toEqual([{ startMs: 1000, endMs: 2500, indices: [1] }])
  expect(split([220, 1, 520], 2500)).toEqual([{ startMs: 2500, endMs: 2500, indices: [1] }])
})

test('timestamps without text between them are no segments', () => {
  expect(split([20, 70, 70, 120])).toEqual([])
  expect(split([])).toEqual([])
})

test('a segment has the mean log-probability of its own tokens', () => {
  const { segments, isComplete } = read([
    { startMs: 0, endMs: 1000, text: 'a b' },
    { startMs: 1000, endMs: 4000, text: 'c' },
  ])
  expect(isComplete).toBe(true)
  expect(segments).toMatchObject([
    { startMs: 0, endMs: 1000, text: 'a b', meanLogProbability: -0.5, noSpeechProbability: 0.2 },
    { startMs: 1000, endMs: 4000, text: 'c', meanLogProbability: -2 },
  ])
})

test.each([
  [2500, true],
  [2400, false],
])('a window of 4 s whose last segment ends at %d ms is complete: %s', (endMs, isComplete) => {
  expect(read([{ startMs: 0, endMs, text: 'one two' }]).isComplete).toBe(isComplete)
})

test('a window without text is complete', () => {
  expect(read([])).toEqual({ segments: [], isComplete: true })
})

test('a segment of spaces is dropped, but kept as the last one where the caller continues at its end', () => {
  const first = { startMs: 0, endMs: 1000, text: 'one' }
  expect(read([first, { startMs: 1000, endMs: 4000, text: '' }]).segments).toHaveLength(1)
  expect(read([first, { startMs: 1000, endMs: 2000, text: '' }])).toMatchObject({
    isComplete: false,
    segments: [{ text: 'one' }, { text: '', endMs: 2000 }],
  })
})

test('a text that used up its tokens loses its last segment and is incomplete', () => {
  const pieces = [
    { startMs: 0, endMs: 2000, text: words(20) },
    { startMs: 2000, endMs: 4000, text: words(30) },
  ]
  const { segments, isComplete } = read(pieces, { isFinished: false })
  expect(isComplete).toBe(false)
  expect(segments).toMatchObject([{ endMs: 2000, text: words(20) }])
})

test('a single segment that used up its tokens loses its last word', () => {
  const { segments, isComplete } = read([{ startMs: 0, endMs: 4000, text: words(40) }], { isFinished: false })
  expect(isComplete).toBe(false)
  expect(segments[0]?.words).toHaveLength(39)
  expect(segments[0]?.endMs).toBe(3900)
  expect(segments[0]?.text).toBe(words(40).split(' ').slice(0, -1).join(' '))
})

test('a single word that used up its tokens, of a script without spaces, is kept', () => {
  const text = '我们今天去看一个朋友他住在城市的另一边所以要坐车'
  const { segments } = read([{ startMs: 0, endMs: 4000, text }], { isFinished: false })
  expect(segments).toMatchObject([{ text, endMs: 4000 }])
})

test('a repetition loop that used up its tokens is complete', () => {
  const text = Array.from({ length: 60 }, () => 'تا').join(' ')
  const { segments, isComplete } = read([{ startMs: 0, endMs: 2000, text }], { isFinished: false })
  expect(isComplete).toBe(true)
  expect(segments).toMatchObject([{ text, compressionRatio: expect.any(Number) }])
  expect(segments[0]?.compressionRatio).toBeGreaterThan(2.4)
})
