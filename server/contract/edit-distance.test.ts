import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

test('counts a missing, an extra and a wrong item as one each', () => {
  const expected = ['my', 'number', 'is', 'one']
  expect(editDistance(expected, ['my', 'number', 'is'])).toBe(1)
  expect(editDistance(expected, ['my', 'own', 'number', 'is', 'one'])).toBe(1)
  expect(editDistance(expected, ['my', 'letter', 'is', 'one'])).toBe(1)
  expect(editDistance([], ['one', 'two'])).toBe(2)
  expect(editDistance('kitten', 'sitting')).toBe(3)
})

test.each([
  ['kitten', 'sitting', 3, 3],
  ['kitten', 'sitting', 2, 3],
  ['abc', 'abcdefgh', 2, 3],
  ['same', 'same', 0, 0],
])('of %j and %j with a limit of %i', (a, b, limit, distance) => {
  expect(editDistance(a, b, limit)).toBe(distance)
})
