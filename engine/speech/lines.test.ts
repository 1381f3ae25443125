import { expect, test } from 'vitest'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { TranscribedSegment } from './backend/speech-backend.ts'
import { toLines } from './lines.ts'

/** Two turns of two seconds, ten minutes apart, in one window; the second starts at 2750 ms of the window. */
const window: SpeechWindow = {
  durationMs: 5350,
  pieces: [
    {
      sourceStartMs: 9700,
      sourceEndMs: 12_300,
      speechStartMs: 10_000,
      speechEndMs: 12_000,
      windowStartMs: 0,
      beginsTurn: true,
    },
    {
      sourceStartMs: 609_700,
      sourceEndMs: 612_300,
      speechStartMs: 610_000,
      speechEndMs: 612_000,
      windowStartMs: 2750,
      beginsTurn: true,
    },
  ],
}
const together = { ...window, pieces: window.pieces.map((piece, index) => ({ ...piece, beginsTurn: index === 0 })) }
const frames = new Float32Array(40_000).fill(0.1)

/** Returns a segment of words with their times within the window. */
function segment(timedWords: [text: string, startMs: number, endMs: number][]): TranscribedSegment {
  const words = timedWords.map(([text, startMs, endMs]) => ({ text, startMs, endMs, confidence: 0.8 }))
  const [first, last] = [words[0], words.at(-1)]
  const text = words.map((word) => word.text).join(' ')
  return {
    startMs: first?.startMs ?? 0,
    endMs: last?.endMs ?? 0,
    text,
    words,
    meanLogProbability: -0.2,
    noSpeechProbability: 0,
    compressionRatio: 1,
  }
}

function timesAndText(lines: ReturnType<typeof toLines>) {
  return lines.map(({ startMs, endMs, text }) => [startMs, endMs, text])
}

test('a segment across two turns becomes one line per turn, with the times of the detected speech', () => {
  const spoken = segment([
    ['good', 300, 900],
    ['morning.', 900, 2250],
    ['How', 2800, 3300],
    ['are', 3300, 3600],
    ['you?', 3600, 5000],
  ])
  expect(timesAndText(toLines([spoken], window, frames))).toEqual([
    [10_000, 12_000, 'good morning.'],
    [610_000, 612_000, 'How are you?'],
  ])
})

test('timestamps that are off by some tenths of a second are cut at the end of the sentence', () => {
  const spoken = segment([
    ['good', 300, 900],
    ['morning.', 900, 2000],
    ['How', 2400, 2900],
    ['are', 2900, 3600],
    ['you?', 3600, 5000],
  ])
  expect(timesAndText(toLines([spoken], window, frames)).map(([, , text]) => text)).toEqual([
    'good morning.',
    'How are you?',
  ])
})

test('a short pause of one speaker does not split a line', () => {
  const spoken = segment([
    ['good', 300, 900],
    ['morning', 3100, 4000],
  ])
  expect(timesAndText(toLines([spoken], together, frames))).toEqual([[10_000, 610_950, 'good morning']])
})

test('every word is kept and stays inside the speech that it was spoken in', () => {
  const spoken = segment([
    ['one', 0, 100],
    ['two', 2200, 2650],
    ['three', 2600, 2900],
    ['four', 5200, 5350],
  ])
  const words = toLines([spoken], window, frames).flatMap((line) => line.words)
  expect(words.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'four'])
  for (const { startMs, endMs } of words) {
    expect(endMs).toBeGreaterThanOrEqual(startMs)
    const isInside = (ms: number) => (ms >= 10_000 && ms <= 12_000) || (ms >= 610_000 && ms <= 612_000)
    expect([startMs, endMs].every(isInside)).toBe(true)
  }
})

test('two segments of one turn are aligned to the pause between them', () => {
  const paused = frames.slice()
  // Quiet from 10.9 to 11.1 s; the model puts the boundary at 10.8 s.
  paused.fill(0.001, 545, 555)
  const lines = toLines([segment([['first.', 300, 1100]]), segment([['second.', 1100, 2300]])], window, paused)
  expect(timesAndText(lines)).toEqual([
    [10_000, 10_900, 'first.'],
    [11_100, 12_000, 'second.'],
  ])
})

test('the confidence of a line is the mean of its words, and text without a letter or digit is not a line', () => {
  const spoken = segment([['yes', 300, 900]])
  const dots = segment([['…', 3000, 3100]])
  const lines = toLines([spoken, dots], window, frames)
  expect(lines).toHaveLength(1)
  expect(lines[0]?.confidence).toBeCloseTo(0.8)
})
