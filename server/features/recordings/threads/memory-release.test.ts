import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryRelease, type MemoryRelease } from './memory-release.ts'

const mb = 1024 ** 2

let residentBytes: number
let collections: number
let memory: MemoryRelease

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  residentBytes = 200 * mb
  collections = 0
  memory = createMemoryRelease({
    collect() {
      collections += 1
    },
    readResidentBytes: () => residentBytes,
  })
  memory.schedule()
  vi.advanceTimersByTime(5_000)
  memory.schedule() // the least that it has: 200 MB
  memory.cancel()
  collections = 0
})
afterEach(() => vi.useRealTimers())

test('what starting has left is released by the first call', () => {
  memory = createMemoryRelease({ collect: () => (collections += 1), readResidentBytes: () => residentBytes })
  memory.schedule()
  vi.advanceTimersByTime(5_000)
  expect(collections).toBe(1)
})

test('memory that grew is released a few seconds after the last download', () => {
  residentBytes = 500 * mb
  memory.schedule()
  vi.advanceTimersByTime(4_000)
  memory.schedule()
  vi.advanceTimersByTime(4_000)
  expect(collections).toBe(0)
  vi.advanceTimersByTime(1_000)
  expect(collections).toBe(1)
})

test('nothing is collected where memory did not grow, or while there are downloads', () => {
  residentBytes = 220 * mb
  memory.schedule()
  vi.advanceTimersByTime(60_000)
  residentBytes = 500 * mb
  memory.schedule()
  memory.cancel()
  vi.advanceTimersByTime(60_000)
  expect(collections).toBe(0)
})

test('what one collection leaves above the least that the process ever had is collected again', () => {
  for (const bytes of [500 * mb, 260 * mb, 220 * mb]) {
    residentBytes = bytes
    memory.schedule()
    vi.advanceTimersByTime(5_000)
  }
  expect(collections).toBe(2)
})

test('what nobody holds any more is gone', async () => {
  vi.useRealTimers()
  const reference = new WeakRef({ held: 'by nobody' })
  createMemoryRelease({ quietMs: 0 }).schedule()
  await vi.waitFor(() => expect(reference.deref() === undefined).toBe(true))
})
