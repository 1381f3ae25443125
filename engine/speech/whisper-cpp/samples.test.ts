import { expect, test } from 'vitest'
import { prepareSamples } from './samples.ts'

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
