import { expect, test } from 'vitest'
import { indicesOfLargest, logSumExp } from './numbers.ts'

test('sums exponentials without overflow, and nothing to -Infinity', () => {
  expect(logSumExp(new Float32Array([1000, 1000]), 0, 2)).toBeCloseTo(1000 + Math.log(2))
  expect(logSumExp(new Float32Array([-Infinity]), 0, 1)).toBe(-Infinity)
  expect(logSumExp(new Float32Array([1, 2]), 1, 1)).toBe(-Infinity)
})

test('the sum over a vocabulary is exact where most tokens are improbable', () => {
  const values = Float32Array.from({ length: 50_000 }, (_, at) => -20 + 12 * Math.sin(at * 1.7)).fill(2, 400, 401)
  const exact = Math.log(values.reduce((sum, value) => sum + Math.exp(value), 0))
  expect(Math.abs(logSumExp(values) - exact)).toBeLessThan(1e-5)
})

test.each([0, 1, 15, 16, 17, 255, 257, 1000])('finds the largest of %d numbers, the largest first', (length) => {
  const values = Float32Array.from({ length }, (_, at) => Math.round(50 * Math.sin(at * 2.3)))
  const sorted = [...values.keys()].toSorted((one, other) => (values[other] ?? 0) - (values[one] ?? 0) || one - other)
  for (const most of [0, 1, 6, 300]) expect(indicesOfLargest(values, most)).toEqual(sorted.slice(0, most))
})

test('what is ruled out is never among the largest', () => {
  const values = new Float32Array(600).fill(-Infinity)
  expect(indicesOfLargest(values, 3)).toEqual([])
  values[300] = -5
  expect(indicesOfLargest(values, 3)).toEqual([300])
})

test('something else than floats is an error, not the end of the process', () => {
  expect(() => logSumExp(new Float64Array(3) as never)).toThrow('Expected a Float32Array')
  expect(() => indicesOfLargest([1, 2] as never, 1)).toThrow('Expected a Float32Array')
  expect(logSumExp(Float32Array.of(1, 2), 5, 9)).toBe(-Infinity)
})
