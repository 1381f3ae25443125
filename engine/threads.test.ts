import { availableParallelism } from 'node:os'
import type { CpuInfo } from 'node:os'
import { expect, test } from 'vitest'
import { availableThreads, freeThreads, idleCpus } from './threads.ts'

test('is the available parallelism by default', () => {
  expect(availableThreads()).toBe(availableParallelism())
})

test('is an integer of 1 or more, and never above the available parallelism', () => {
  expect([0, -2, 1, 1.9].map((wanted) => availableThreads(wanted))).toEqual([1, 1, 1, 1])
  expect(availableThreads(10_000)).toBe(availableParallelism())
  expect(availableThreads(Number.NaN)).toBe(availableParallelism())
})

test('divides the available parallelism among several engines, at least one thread each', () => {
  const shared = availableThreads(undefined, 2)
  expect(shared * 2).toBeLessThanOrEqual(Math.max(2, availableParallelism()))
  expect(availableThreads(undefined, 10_000)).toBe(1)
  expect(availableThreads(10_000, 2)).toBe(shared)
})

function cpu(idle: number, user: number): CpuInfo {
  return { model: '', speed: 0, times: { idle, user, nice: 0, sys: 0, irq: 0 } }
}

test('counts the idle CPUs', () => {
  expect(idleCpus([cpu(100, 0), cpu(100, 0)], [cpu(300, 0), cpu(100, 200)])).toBe(1)
  expect(idleCpus([cpu(100, 0), cpu(100, 0)], [cpu(250, 50), cpu(250, 50)])).toBe(1.5)
  expect(idleCpus([cpu(100, 0)], [cpu(100, 0)])).toBe(0)
})

test('free threads are at least 1 and at most the requested number', async () => {
  expect(await freeThreads(0)).toBe(1)
  expect([1, 2]).toContain(await freeThreads(2))
})
