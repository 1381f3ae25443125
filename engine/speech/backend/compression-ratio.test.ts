import { expect, test } from 'vitest'
import { compressionRatio } from './compression-ratio.ts'

test('is above 2.4 for a repetition loop and below for ordinary text', () => {
  expect(
    compressionRatio('I thought that we would meet at the market tomorrow and bring the book to the school.'),
  ).toBeLessThan(2.4)
  expect(compressionRatio('از '.repeat(60))).toBeGreaterThan(2.4)
})

test('is 0 for an empty text', () => {
  expect(compressionRatio('')).toBe(0)
})
