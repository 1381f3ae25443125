import { expect, it } from 'vitest'
import { formatSpeed } from './format-speed.ts'

it.each([
  [0.25, '4x real time (factor 0.25)'],
  [2, '0.5x real time (factor 2)'],
  [0.0307, '33x real time (factor 0.031)'],
  [0.004, '250x real time (factor 0.004)'],
  [0, 'not measured'],
])('formats a factor of %d as %s', (factor, text) => {
  expect(formatSpeed(factor)).toBe(text)
})
