import { expect, test } from 'vitest'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import { toTimedTexts } from './window-text.ts'

/** Two utterances, 10.0-12.0 s and 40.0-41.0 s of the recording, with 150 ms around each and 150 ms of silence between them. */
const window: SpeechWindow = {
  pieces: [
    { sourceStartMs: 9850, sourceEndMs: 12_150, windowStartMs: 0, speechStartMs: 10_000, speechEndMs: 12_000 },
    { sourceStartMs: 39_850, sourceEndMs: 41_150, windowStartMs: 2450, speechStartMs: 40_000, speechEndMs: 41_000 },
  ],
  durationMs: 3750,
}

function segment(startMs: number, endMs: number, text: string) {
  return { startMs, endMs, text, confidence: 1 }
}

test('gives each text its time in the recording, starts clamped to the speech', () => {
  const texts = toTimedTexts([segment(0, 2100, ' one two'), segment(2100, 3500, ' three')], window)
  expect(texts).toEqual([
    { startMs: 10_000, endMs: 11_950, text: 'one two' },
    { startMs: 40_000, endMs: 40_900, text: 'three' },
  ])
})

test('drops what was heard in the silence behind the last speech', () => {
  expect(
    toTimedTexts([segment(0, 2100, 'one'), segment(3700, 4700, 'thank you')], window).map(({ text }) => text),
  ).toEqual(['one'])
})

test('keeps a text whose times the model lost, within the speech', () => {
  expect(toTimedTexts([segment(0, 30_000, 'one')], window)).toEqual([{ startMs: 10_000, endMs: 41_000, text: 'one' }])
})

test('drops segments without a word and bytes of half a letter', () => {
  expect(toTimedTexts([segment(0, 900, ' ... '), segment(0, 2000, '\uFFFD خبر  ښه\n دی\uFFFD')], window)).toEqual([
    { startMs: 10_000, endMs: 11_850, text: 'خبر ښه دی' },
  ])
})
