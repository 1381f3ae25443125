import { expect, test } from 'vitest'
import { compressionRatio } from './compression-ratio.ts'

test('what a decoder in a loop writes is above 2.4, what people say below', () => {
  expect(
    compressionRatio('I thought that we would meet at the market tomorrow and bring the book to the school.'),
  ).toBeLessThan(2.4)
  expect(compressionRatio('از '.repeat(60))).toBeGreaterThan(2.4)
})

test('nothing has no ratio', () => {
  expect(compressionRatio('')).toBe(0)
})
