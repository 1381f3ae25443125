import { expect, it } from 'vitest'
import { chooseBySeed } from './choose.ts'

const items = Array.from({ length: 200 }, (_, index) => index)

it('chooses the same for the same seed, and something else for another', () => {
  const first = chooseBySeed(items, 10, 1)
  expect(chooseBySeed(items, 10, 1)).toEqual(first)
  expect(chooseBySeed(items, 10, 2)).not.toEqual(first)
})

it('chooses as many as are asked for, each once and in their order', () => {
  const chosen = chooseBySeed(items, 50, 7)
  expect(new Set(chosen).size).toBe(50)
  expect(chosen).toEqual(chosen.toSorted((a, b) => a - b))
})

it('chooses from everywhere in the list', () => {
  const chosen = chooseBySeed(items, 100, 3)
  const inFirstHalf = chosen.filter((item) => item < 100).length
  expect(inFirstHalf).toBeGreaterThan(35)
  expect(inFirstHalf).toBeLessThan(65)
})

it('chooses all where there are fewer than asked for', () => {
  expect(chooseBySeed([4, 5], 10, 1)).toEqual([4, 5])
})
