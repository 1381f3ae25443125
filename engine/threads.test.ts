import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { availableThreads } from './threads.ts'

test('is what the machine gives when nothing is asked for', () => {
  expect(availableThreads()).toBe(availableParallelism())
})

test('is an integer of 1 or more, and never more than the machine gives', () => {
  expect([0, -2, 1, 1.9].map((wanted) => availableThreads(wanted))).toEqual([1, 1, 1, 1])
  expect(availableThreads(10_000)).toBe(availableParallelism())
  expect(availableThreads(Number.NaN)).toBe(availableParallelism())
})
