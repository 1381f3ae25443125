import { expect, test } from 'vitest'
import { sortNameOf } from './name-order.ts'

test('orders names without regard to case and accents, and by username where there is no name', () => {
  const order = (...names: [string, string, string][]) =>
    names
      .map(([firstName, lastName, username]) => sortNameOf({ firstName, lastName, username }))
      .toSorted()
      .join(', ')
  expect(order(['Zoe', 'A', 'x'], ['émile', 'B', 'x'], ['Eva', 'C', 'x'], ['', '', 'Farid'])).toBe(
    'emile b, eva c, farid, zoe a',
  )
})

test('keeps the letters of scripts whose vowels are marks', () => {
  expect(sortNameOf({ firstName: 'हिन्दी', lastName: '', username: '' })).toBe('हिन्दी')
})
