import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRestartPolicy } from './restart-policy.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The delays before each restart, or `gives up`. */
function follow(ends: { code: number | null; workedMs?: number }[]) {
  const policy = createRestartPolicy(200)
  return ends.map(({ code, workedMs }) => {
    policy.onStart()
    if (workedMs !== undefined) {
      policy.onReady()
      vi.advanceTimersByTime(workedMs)
    }
    const next = policy.onEnd(code)
    return next.isHopeless ? 'gives up' : next.delayMs
  })
}

test('gives up when a service that never worked fails at start five times in a row', () => {
  expect(follow(Array.from({ length: 5 }, () => ({ code: 1 })))).toEqual([200, 400, 800, 1600, 'gives up'])
})

test('a kill or a database away at start is no fault of the service', () => {
  const faults = Array.from({ length: 4 }, () => ({ code: 1 }))
  const ends = [...faults, { code: null }, ...faults, { code: 75 }, ...faults]
  expect(follow(ends)).not.toContain('gives up')
})

test('a service that once worked is started again however often it fails', () => {
  const ends = [{ code: 1, workedMs: 1 }, ...Array.from({ length: 12 }, () => ({ code: 1 }))]
  expect(follow(ends).at(-1)).toBe(30_000)
})

test('a service that is killed again and again serves again within seconds each time', () => {
  const killed = Array.from({ length: 7 }, () => ({ code: null, workedMs: 1000 }))
  expect(follow(killed)).toEqual([200, 400, 800, 1600, 2000, 2000, 2000])
})

test('after a while of work the next restart is quick again', () => {
  const [, , third] = follow([
    { code: null, workedMs: 1 },
    { code: null, workedMs: 1 },
    { code: 1, workedMs: 20_000 },
  ])
  expect(third).toBe(200)
})
