import { expect, test } from 'vitest'
import { computeAudioContext, wholeContext } from './audio-context.ts'

test('multiplies the audio context by the factor', () => {
  expect(computeAudioContext(80_000, 64, 3)).toBe(768)
  expect(computeAudioContext(320_000, 64, 3)).toBe(1500)
})

test('is whole however short the window', () => {
  expect(computeAudioContext(1600, 64, wholeContext)).toBe(1500)
})

test.each([
  ['short sound, model without a minimum', 16_000, 64, 64],
  ['short sound, model with a minimum', 16_000, 384, 384],
  ['ten seconds', 160_000, 64, 512],
  ['thirty seconds', 480_000, 64, 1500],
])('limits the audio context to the audio: %s', (_, sampleCount, minimum, positions) => {
  expect(computeAudioContext(sampleCount, minimum, 1)).toBe(positions)
})
