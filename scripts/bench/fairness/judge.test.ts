import { expect, test } from 'vitest'
import { judge, type Measured } from './judge.ts'

const mb = 1024 ** 2
const calm = { signInMs: [500, 520, 480], uploadMs: [900, 1000, 1100], refusals: [] }
const measured: Measured = {
  idleBytes: 200 * mb,
  peakBytes: 400 * mb,
  calm,
  during: { signInMs: [1000, 1000, 1000], uploadMs: [2000, 2000, 2000], refusals: [] },
}
const reached = (changes: Partial<Measured>) => judge({ ...measured, ...changes }).map(({ isReached }) => isReached)

test('the limits themselves are reached', () => {
  expect(reached({})).toEqual([true, true, true])
})

test('memory above 1.5 times idle and 100 MB is too much', () => {
  expect(reached({ peakBytes: 401 * mb })).toEqual([false, true, true])
})

test('calls that take more than twice as long are too slow', () => {
  const during = { signInMs: [1100, 1100, 1100], uploadMs: [2100, 2100, 2100], refusals: [] }
  expect(reached({ during })).toEqual([true, false, false])
})

test('one call that fails is one too many, and a phase without calls proves nothing', () => {
  const during = { signInMs: [500, 500, Number.POSITIVE_INFINITY], uploadMs: [], refusals: [503] }
  expect(reached({ during })).toEqual([true, false, false])
})
