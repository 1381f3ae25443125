import { expect, test } from 'vitest'
import { judge, type Measured } from './judge.ts'

const mb = 1024 ** 2
const calm = { signInMs: [500, 520, 480], uploadMs: [900, 1000, 1100], extraMs: new Map(), refusals: [] }
const measured: Measured = {
  idleBytes: 200 * mb,
  peakBytes: 400 * mb,
  calm,
  during: { signInMs: [1000, 1000, 1000], uploadMs: [2000, 2000, 2000], extraMs: new Map(), refusals: [] },
}
const reached = (changes: Partial<Measured>) => judge({ ...measured, ...changes }).map(({ isReached }) => isReached)

test('the limits themselves are reached', () => {
  expect(reached({})).toEqual([true, true, true])
})

test('memory above 1.5 times idle and 100 MB is too much', () => {
  expect(reached({ peakBytes: 401 * mb })).toEqual([false, true, true])
})

test('calls that take more than twice as long are too slow', () => {
  const during = { signInMs: [1100, 1100, 1100], uploadMs: [2100, 2100, 2100], extraMs: new Map(), refusals: [] }
  expect(reached({ during })).toEqual([true, false, false])
})

test('one call that fails is one too many, and a phase without calls proves nothing', () => {
  const during = { signInMs: [500, 500, Number.POSITIVE_INFINITY], uploadMs: [], extraMs: new Map(), refusals: [503] }
  expect(reached({ during })).toEqual([true, false, false])
})

test('an attack may have a limit of memory of its own, and a minute to give it back', () => {
  const changes = { maxGrowthBytes: 190 * mb, backAfterMs: 60_000 }
  expect(reached(changes)).toEqual([false, true, true, true])
  expect(reached({ ...changes, maxGrowthBytes: 200 * mb, backAfterMs: 60_001 })).toEqual([true, true, true, false])
})

test('every other call of the other user is compared', () => {
  const extraMs = (ms: number) => new Map([['library', [ms]]])
  const compared = (ms: number) =>
    reached({ calm: { ...calm, extraMs: extraMs(10) }, during: { ...measured.during, extraMs: extraMs(ms) } })
  expect(compared(20)).toEqual([true, true, true, true])
  expect(compared(21)).toEqual([true, true, true, false])
})
