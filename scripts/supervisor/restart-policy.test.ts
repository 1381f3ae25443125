import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRestartPolicy } from './restart-policy.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns the delay before each restart, or `gives up`. */
function follow(ends: { code: number | null; workedMs?: number }[]) {
  const policy = createRestartPolicy(200)
  return ends.map(({ code, workedMs }) => {
    policy.onStart()
    if (workedMs !== undefined) {
      policy.onReady()
      vi.advanceTimersByTime(workedMs)
    }
    const next = policy.onEnd(code)
    return next.shouldGiveUp ? 'gives up' : next.delayMs
  })
}

test('gives up when a service that never worked fails at start five times in a row', () => {
  expect(follow(Array.from({ length: 5 }, () => ({ code: 1 })))).toEqual([200, 400, 800, 1600, 'gives up'])
})

test('gives up at once when a service says at its first start that it cannot start before something is changed', () => {
  expect(follow([{ code: 78 }])).toEqual(['gives up'])
  expect(follow([{ code: 1, workedMs: 1 }, { code: 78 }])).not.toContain('gives up')
})

test('a kill, or an unreachable database, at start is no failure of the service', () => {
  const failures = Array.from({ length: 4 }, () => ({ code: 1 }))
  const ends = [...failures, { code: null }, ...failures, { code: 75 }, ...failures]
  expect(follow(ends)).not.toContain('gives up')
})

test('a service that once worked is restarted however often it fails', () => {
  const ends = [{ code: 1, workedMs: 1 }, ...Array.from({ length: 12 }, () => ({ code: 1 }))]
  expect(follow(ends).at(-1)).toBe(30_000)
})

test('a service that is killed repeatedly serves again within seconds each time', () => {
  const killed = Array.from({ length: 7 }, () => ({ code: null, workedMs: 1000 }))
  expect(follow(killed)).toEqual([200, 400, 800, 1600, 2000, 2000, 2000])
})

test('after a healthy run the next restart is quick', () => {
  const [, , third] = follow([
    { code: null, workedMs: 1 },
    { code: null, workedMs: 1 },
    { code: 1, workedMs: 20_000 },
  ])
  expect(third).toBe(200)
})
