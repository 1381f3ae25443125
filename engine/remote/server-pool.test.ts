import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ServerFailure } from './server-failure.ts'
import { ServerPool } from './server-pool.ts'
import type { ServerPoolOptions } from './server-pool.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function createPool(options: Partial<ServerPoolOptions> = {}): ServerPool {
  const pool = new ServerPool({
    purpose: 'speech',
    addresses: ['http://a', 'http://b'],
    models: ['m'],
    check: async () => {},
    ...options,
  })
  onTestFinished(() => pool.close())
  return pool
}

test('sends each server one request at a time, and the next request to the first idle one', async () => {
  const pool = createPool()
  const open: { address: string; end: () => void }[] = []
  const send = (address: string) =>
    new Promise<string>((resolve) => {
      open.push({ address, end: () => resolve(address) })
    })
  const requests = [1, 2, 3].map(() => pool.run({ amountOf: () => 1000, send }))
  await vi.advanceTimersByTimeAsync(0)
  expect(open.map(({ address }) => address)).toEqual(['http://a', 'http://b'])
  expect(pool.describe().map(({ in_flight }) => in_flight)).toEqual([1, 1])
  open[1]?.end()
  await vi.advanceTimersByTimeAsync(0)
  expect(open.map(({ address }) => address)).toEqual(['http://a', 'http://b', 'http://b'])
  for (const { end } of open) end()
  expect(await Promise.all(requests)).toEqual(['http://a', 'http://b', 'http://b'])
})

test('backs a failing server off for growing times up to a minute, and checks it before the next request', async () => {
  const check = vi.fn<(address: string) => Promise<void>>(async () => {})
  const tries: number[] = []
  const pool = createPool({ addresses: ['http://a'], check, giveUpAfterMs: 3_600_000, checkIntervalMs: 7_200_000 })
  const request = pool.run({
    amountOf: () => 1000,
    send: async () => {
      tries.push(performance.now())
      if (tries.length < 10) throw new ServerFailure('unreachable', 'refused')
      return 'done'
    },
  })
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(await request).toBe('done')
  const delays = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
  for (const [index, delay] of delays.entries()) {
    const middle = Math.min(60_000, 1000 * 2 ** index)
    expect(delay).toBeGreaterThanOrEqual(middle * 0.75)
    expect(delay).toBeLessThanOrEqual(middle * 1.25 + 5)
  }
  expect(check).toHaveBeenCalledTimes(9)
})

test('honours Retry-After', async () => {
  const tries: number[] = []
  const pool = createPool({ addresses: ['http://a'] })
  const request = pool.run({
    amountOf: () => 1000,
    send: async () => {
      tries.push(performance.now())
      if (tries.length === 1) throw new ServerFailure('faulty', 'HTTP 429', { retryAfterMs: 30_000 })
      return 'done'
    },
  })
  await vi.advanceTimersByTimeAsync(31_000)
  expect(await request).toBe('done')
  expect((tries[1] ?? 0) - (tries[0] ?? 0)).toBeGreaterThanOrEqual(30_000)
})

test('fails only after all servers have failed for the whole time limit, and names them', async () => {
  const pool = createPool({ giveUpAfterMs: 300_000 })
  const startedAt = performance.now()
  const request = pool.run({
    amountOf: () => 1000,
    send: async (address) => {
      throw new ServerFailure('unreachable', address === 'http://a' ? 'refused' : 'no response within 60 s')
    },
  })
  const outcome = request.catch((error: unknown) => ({ error, atMs: performance.now() }))
  await vi.advanceTimersByTimeAsync(400_000)
  expect(await outcome).toMatchObject({
    error: {
      code: 'unavailable',
      message:
        'No transcription server could be used for 5 minutes (http://a: refused; http://b: no response within 60 s).',
    },
  })
  const { atMs } = (await outcome) as { atMs: number } // the assertion above proves that it failed
  expect(atMs - startedAt).toBeGreaterThanOrEqual(300_000)
})

test('sends a refused request to each server once', async () => {
  const send = vi.fn<(address: string) => Promise<string>>(async () => {
    throw new ServerFailure('refused', 'HTTP 400')
  })
  await expect(createPool().run({ amountOf: () => 1000, send })).rejects.toMatchObject({ code: 'internal' })
  expect(send).toHaveBeenCalledTimes(2)
})

test('an abort ends the wait for a server', async () => {
  const pool = createPool({ addresses: ['http://a'] })
  const controller = new AbortController()
  const request = pool.run({
    amountOf: () => 1000,
    signal: controller.signal,
    send: async () => {
      throw new ServerFailure('unreachable', 'refused')
    },
  })
  const outcome = request.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(10)
  controller.abort()
  expect(await outcome).toMatchObject({ code: 'job_cancelled' })
})

test('describes which servers are reachable, idle ones included', async () => {
  const pool = createPool({
    check: async (address) => {
      if (address === 'http://b') throw new ServerFailure('unreachable', 'refused')
    },
  })
  expect(pool.describe().map(({ is_reachable }) => is_reachable)).toEqual([null, null])
  await pool.checkAll()
  expect(pool.describe()).toMatchObject([
    { address: 'http://a', models: ['m'], is_reachable: true, last_error: null },
    { address: 'http://b', is_reachable: false, last_error: { message: 'refused' }, retry_at: null },
  ])
})

test('a server in use that times out once does not count as unreachable', async () => {
  const pool = createPool({
    addresses: ['http://a'],
    check: async () => {
      throw new ServerFailure('timeout', 'no response within 5 s')
    },
  })
  await pool.run({ amountOf: () => 1000, send: async () => 'done' })
  await pool.checkAll()
  expect(pool.describe()).toMatchObject([{ is_reachable: true, completed: 1, real_time_factor: 0 }])
})
