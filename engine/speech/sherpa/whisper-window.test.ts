import { expect, test } from 'vitest'
import { RecognizerResult } from './recognizer-result.ts'
import { padSound, readWhisper } from './whisper-window.ts'

interface Heard {
  startS: number
  endS: number
  text: string
}

/** What sherpa-onnx returns for segments, with a token of 0.2 s for each word unless `hasTimes` is false. */
function result(segments: Heard[], { hasTimes = true } = {}): RecognizerResult {
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

/** So many different words. */
function words(count: number): string {
  return Array.from({ length: count }, (_, at) => ((at + count) * 7_919_104_729).toString(36)).join(' ')
}

test.each([
  ['nothing', 0, 0, 3],
  ['a click', 160, 0, 3.01],
  ['4 s', 64_000, 0, 7],
  ['4 s that want 20', 64_000, 20, 20],
  ['29 s', 464_000, 0, 29.4],
  ['31 s', 496_000, 40, 29.4],
])('%s gets silence behind it', (_, samples, minSeconds, seconds) => {
  expect(padSound(new Float32Array(samples), minSeconds).length / 16_000).toBeCloseTo(seconds, 2)
})

test('samples that are no numbers become silence', () => {
  const padded = padSound(new Float32Array([0.5, Number.NaN, Number.POSITIVE_INFINITY, -0.5]))
  expect([...padded.subarray(0, 4)]).toEqual([0.5, 0, 0, -0.5])
})

test('segments have the times of their tokens, inside the sound', () => {
  const heard = readWhisper(result([{ startS: 0, endS: 5, text: 'one two' }]), { soundMs: 4000, paddedMs: 7000 })
  expect(heard).toMatchObject({
    isComplete: true,
    segments: [{ startMs: 0, endMs: 4000, text: 'one two', logProbability: null, noSpeech: null }],
  })
  expect(heard?.segments[0]?.words).toMatchObject([
    { text: 'one', startMs: 0, endMs: 200, confidence: null },
    { text: 'two', startMs: 200, endMs: 400 },
  ])
})

test('words without times of their own share their segment', () => {
  const heard = readWhisper(result([{ startS: 1, endS: 3, text: 'abcd efgh' }], { hasTimes: false }), {
    soundMs: 4000,
    paddedMs: 7000,
  })
  expect(heard?.segments[0]?.words).toMatchObject([
    { startMs: 1000, endMs: 2000 },
    { startMs: 2000, endMs: 3000 },
  ])
})

test('a last segment that ends long before the sound leaves the rest to be asked for', () => {
  const early = result([{ startS: 0, endS: 9, text: words(20) }])
  expect(readWhisper(early, { soundMs: 20_000, paddedMs: 23_000 })?.isComplete).toBe(false)
  expect(readWhisper(early, { soundMs: 10_000, paddedMs: 13_000 })?.isComplete).toBe(true)
})

test('a text that used up its tokens loses its open segment, which is asked for again', () => {
  const cut = result([
    { startS: 0, endS: 4, text: words(20) },
    { startS: 4, endS: 10, text: words(54) },
  ])
  const heard = readWhisper(cut, { soundMs: 10_000, paddedMs: 13_000 })
  expect(heard).toMatchObject({ isComplete: false, segments: [{ endMs: 4000 }] })
  expect(heard?.segments).toHaveLength(1)
})

test('a single segment that used up its tokens ends with its last whole word', () => {
  const heard = readWhisper(result([{ startS: 0, endS: 20, text: words(80) }]), { soundMs: 20_000, paddedMs: 13_000 })
  expect(heard?.isComplete).toBe(false)
  expect(heard?.segments[0]?.words).toHaveLength(79)
  expect(heard?.segments[0]?.endMs).toBeCloseTo(15_800)
})

test('where nothing tells how far a text came that used up its tokens, there is none', () => {
  const cut = result([{ startS: 0, endS: 20, text: words(80) }], { hasTimes: false })
  expect(readWhisper(cut, { soundMs: 20_000, paddedMs: 13_000 })).toBeUndefined()
})

test('a loop that used up its tokens is whole: behind it would only be the next', () => {
  const loop = result([{ startS: 0, endS: 20, text: Array.from({ length: 80 }, () => 'تا').join(' ') }])
  const heard = readWhisper(loop, { soundMs: 20_000, paddedMs: 13_000 })
  expect(heard?.isComplete).toBe(true)
  expect(heard?.segments[0]?.compressionRatio).toBeGreaterThan(2.4)
})

test('names of sounds are no words', () => {
  const heard = readWhisper(result([{ startS: 0, endS: 4, text: '[Music]' }]), { soundMs: 4000, paddedMs: 7000 })
  expect(heard).toEqual({ segments: [], isComplete: true })
})
