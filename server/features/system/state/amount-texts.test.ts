import { expect, test } from 'vitest'
import { amountTexts, describeDuration, describeSize, listSome } from './amount-texts.ts'

test('one thing is in the singular', () => {
  expect([1, 2, 1234].map(amountTexts.mails)).toEqual(['1 mail', '2 mails', '1,234 mails'])
  expect([1, 2].map(amountTexts.indexes)).toEqual(['1 index', '2 indexes'])
})

test('sizes and times have the unit that a person would choose', () => {
  expect([900e6, 1.25e9].map(describeSize)).toEqual(['900.0 MB', '1.3 GB'])
  const hourMs = 3_600_000
  expect([1.5, 47, 49].map((hours) => describeDuration(hours * hourMs))).toEqual(['90 minutes', '47 hours', '2 days'])
})

test('a long list is cut short', () => {
  expect(listSome(['a', 'b'])).toBe('a, b')
  expect(listSome(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('a, b, c, d, e and others')
})
