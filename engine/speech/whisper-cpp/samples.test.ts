import { expect, test } from 'vitest'
import { computeAudioContext, prepareSamples } from './samples.ts'

test('replaces NaN and infinities by silence', () => {
  const prepared = prepareSamples(
    new Float32Array([0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0.5]),
  )
  expect([...prepared.subarray(0, 5)]).toEqual([0.5, 0, 0, 0, -0.5])
})

test('pads audio shorter than a second with silence', () => {
  const prepared = prepareSamples(new Float32Array(1600).fill(0.1))
  expect(prepared).toHaveLength(16_000)
  expect(prepared.subarray(1600).every((sample) => sample === 0)).toBe(true)
})

test('does not modify the given samples', () => {
  const samples = new Float32Array([Number.NaN])
  prepareSamples(samples)
  expect(samples).toEqual(new Float32Array([Number.NaN]))
})

test('multiplies the audio context by the factor', () => {
  expect(computeAudioContext(80_000, 64, 3)).toBe(768)
  expect(computeAudioContext(320_000, 64, 3)).toBe(1500)
})

test.each([
  ['short sound, model without a minimum', 16_000, 64, 64],
  ['short sound, model with a minimum', 16_000, 384, 384],
  ['ten seconds', 160_000, 64, 512],
  ['thirty seconds', 480_000, 64, 1500],
])('limits the audio context to the audio: %s', (_, sampleCount, minimum, positions) => {
  expect(computeAudioContext(sampleCount, minimum)).toBe(positions)
})
