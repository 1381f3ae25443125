import { expect, test } from 'vitest'
import { solvePositive } from './solve-positive.ts'

test('solves a symmetric system', () => {
  const matrix = Float64Array.from([4, 1, 0.5, 1, 3, -1, 0.5, -1, 5])
  const solution = solvePositive(matrix, Float64Array.from([6, 12, -12.5]))
  expect([...solution].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([1, 3, -2])
})
