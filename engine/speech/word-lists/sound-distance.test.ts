import { expect, test } from 'vitest'
import { soundDistance } from './sound-distance.ts'

test.each([
  ['equal words', 'qandahar', 'qandahar', 0],
  ['letters of one sound', 'qandahar', 'kandahar', 0.5],
  ['letters of one sound in the Arabic script', 'عنتوره', 'عنطوره', 0.5],
  ['two vowels', 'kabul', 'kabol', 0.5],
  ['a vowel left out', 'schoeffer', 'schoffer', 0.5],
  ['a doubled letter', 'hasan', 'hassan', 0.5],
  ['another letter', 'kabul', 'kamul', 1],
  ['a consonant left out', 'lubeck', 'lubek', 0.5 + 0.5],
  ['nothing in common', 'ab', 'xyz', 2.5],
])('of %s', (_, one, other, distance) => {
  expect(soundDistance(one, other, 10)).toBe(distance)
  expect(soundDistance(other, one, 10)).toBe(distance)
})

test('above the limit is infinite', () => {
  expect(soundDistance('kabul', 'kamul', 0.5)).toBe(Number.POSITIVE_INFINITY)
  expect(soundDistance('kabul', 'herat', 1)).toBe(Number.POSITIVE_INFINITY)
})
