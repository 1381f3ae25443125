import { expect, test } from 'vitest'
import { RecognizerResult } from './recognizer-result.ts'
import { padWithSilence, readWhisperResult } from './whisper-window.ts'

interface SpokenSegment {
  startS: number
  endS: number
  text: string
}

/** Returns a result of sherpa-onnx for segments, with a token of 0.2 s for each word unless `hasTimes` is false. */
function result(segments: SpokenSegment[], { hasTimes = true } = {}): RecognizerResult {
  const words = segments.flatMap(({ startS, text }) =>
    text.split(' ').map((word, at) => ({ word, atS: startS + at * 0.2 })),
  )
  return RecognizerResult.parse({
    text: segments.map(({ text }) => text).join(' '),
    tokens: words.map(({ word }) => ` ${word}`),
    timestamps: hasTimes ? words.map(({ atS }) => atS) : [],
    durations: hasTimes ? words.map(() => 0.2) : [],
    segment_texts: segments.map(({ text }) => ` ${text}`),
    segment_timestamps: segments.map(({ startS }) => startS),
    segment_durations: segments.map(({ startS, endS }) => endS - startS),
  })
}

/** Returns `count` different words. */
function words(count: number): string {
  return Array.from({ length: count }, (_, at) => ((at + count) * 7_919_104_729).toString(36)).join(' ')
}

test.each([
  ['nothing', 0, 0, 3],
  ['a click', 160, 0, 3.01],
  ['4 s', 64_000, 0, 7],
  ['4 s with a minimum of 20', 64_000, 20, 20],
  ['29 s', 464_000, 0, 29.4],
  ['31 s', 496_000, 40, 29.4],
])('pads %s with silence', (_, samples, minSeconds, seconds) => {
  expect(padWithSilence(new Float32Array(samples), minSeconds).length / 16_000).toBeCloseTo(seconds, 2)
})

test('NaN and infinite samples become silence', () => {
  const padded = padWithSilence(new Float32Array([0.5, Number.NaN, Number.POSITIVE_INFINITY, -0.5]))
  expect([...padded.subarray(0, 4)]).toEqual([0.5, 0, 0, -0.5])
})

test('segments have the times of their tokens, clamped to the audio', () => {
  const transcribed = readWhisperResult(result([{ startS: 0, endS: 5, text: 'one two' }]), {
    audioMs: 4000,
    paddedMs: 7000,
  })
  expect(transcribed).toMatchObject({
    isComplete: true,
    segments: [{ startMs: 0, endMs: 4000, text: 'one two', meanLogProbability: null, noSpeechProbability: null }],
  })
  expect(transcribed?.segments[0]?.words).toMatchObject([
    { text: 'one', startMs: 0, endMs: 200, confidence: null },
    { text: 'two', startMs: 200, endMs: 400 },
  ])
})

test('words without timestamps share the time of their segment', () => {
  const transcribed = readWhisperResult(result([{ startS: 1, endS: 3, text: 'abcd efgh' }], { hasTimes: false }), {
    audioMs: 4000,
    paddedMs: 7000,
  })
  expect(transcribed?.segments[0]?.words).toMatchObject([
    { startMs: 1000, endMs: 2000 },
    { startMs: 2000, endMs: 3000 },
  ])
})

test('a window is incomplete if its last segment ends long before the audio', () => {
  const early = result([{ startS: 0, endS: 9, text: words(20) }])
  expect(readWhisperResult(early, { audioMs: 20_000, paddedMs: 23_000 })?.isComplete).toBe(false)
  expect(readWhisperResult(early, { audioMs: 10_000, paddedMs: 13_000 })?.isComplete).toBe(true)
})

test('a text that used up its tokens loses its last segment and is incomplete', () => {
  const cut = result([
    { startS: 0, endS: 4, text: words(20) },
    { startS: 4, endS: 10, text: words(54) },
  ])
  const transcribed = readWhisperResult(cut, { audioMs: 10_000, paddedMs: 13_000 })
  expect(transcribed).toMatchObject({ isComplete: false, segments: [{ endMs: 4000 }] })
  expect(transcribed?.segments).toHaveLength(1)
})

test('a single segment that used up its tokens ends with its last complete word', () => {
  const transcribed = readWhisperResult(result([{ startS: 0, endS: 20, text: words(80) }]), {
    audioMs: 20_000,
    paddedMs: 13_000,
  })
  expect(transcribed?.isComplete).toBe(false)
  expect(transcribed?.segments[0]?.words).toHaveLength(79)
  expect(transcribed?.segments[0]?.endMs).toBeCloseTo(15_800)
})

test('returns undefined for a text without timestamps that used up its tokens', () => {
  const cut = result([{ startS: 0, endS: 20, text: words(80) }], { hasTimes: false })
  expect(readWhisperResult(cut, { audioMs: 20_000, paddedMs: 13_000 })).toBeUndefined()
})

test('a repetition loop that used up its tokens is complete', () => {
  const loop = result([{ startS: 0, endS: 20, text: Array.from({ length: 80 }, () => 'تا').join(' ') }])
  const transcribed = readWhisperResult(loop, { audioMs: 20_000, paddedMs: 13_000 })
  expect(transcribed?.isComplete).toBe(true)
  expect(transcribed?.segments[0]?.compressionRatio).toBeGreaterThan(2.4)
})

test('removes sound annotations', () => {
  const transcribed = readWhisperResult(result([{ startS: 0, endS: 4, text: '[Music]' }]), {
    audioMs: 4000,
    paddedMs: 7000,
  })
  expect(transcribed).toEqual({ segments: [], isComplete: true })
})
