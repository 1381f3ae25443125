import { afterEach, expect, test, vi } from 'vitest'
import { createFairLimiter, networkOf } from './fair-limiter.ts'

afterEach(() => void vi.useRealTimers())

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
  ['2001:0DB8:0000:0007::9', '2001:db8:0:7::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('counts %s as %s', (address, network) => expect(networkOf(address)).toBe(network))

test('runs as many tasks at once as allowed, and the next when one ends or fails', async () => {
  const limiter = createFairLimiter({ concurrency: 2, maxWaiting: 10, maxPerAddress: 10 })
  const gates = [1, 2, 3].map(() => Promise.withResolvers<string>())
  const started: number[] = []
  const results = gates.map(({ promise }, index) =>
    limiter.run({ address: 'a', account: '' }, () => {
      started.push(index)
      return promise
    }),
  )
  await vi.waitFor(() => expect(started).toEqual([0, 1]))
  gates[0]?.reject(new Error('failed'))
  await expect(results[0]).rejects.toThrow('failed')
  gates[1]?.resolve('second')
  gates[2]?.resolve('third')
  expect(await Promise.all(results.slice(1))).toEqual(['second', 'third'])
  expect(started).toEqual([0, 1, 2])
})

test('rejects a flood with the time to wait, and no other requester', async () => {
  const limiter = createFairLimiter({ concurrency: 1, maxWaiting: 100, maxPerAddress: 2 })
  const gate = Promise.withResolvers<string>()
  const run = (address: string) => limiter.run({ address, account: '' }, () => gate.promise)
  const results = [run('a'), run('a'), run('a')]
  await expect(run('a')).rejects.toMatchObject({ code: 'rate_limited', remainingSeconds: 5 })
  const other = run('b')
  gate.resolve('done')
  expect(await Promise.all([...results, other])).toEqual(['done', 'done', 'done', 'done'])
})

test('runs one more task for an address without others, ahead of the backlog', async () => {
  const limiter = createFairLimiter({ concurrency: 1, expressConcurrency: 1, maxWaiting: 10, maxPerAddress: 10 })
  const gate = Promise.withResolvers<string>()
  const started: string[] = []
  const run = (address: string) =>
    limiter.run({ address, account: '' }, () => {
      started.push(address)
      return gate.promise
    })
  const results = ['flood', 'flood', 'flood', 'lone', 'lone'].map(run)
  await vi.waitFor(() => expect(started).toEqual(['flood', 'lone']))
  gate.resolve('done')
  await Promise.all(results)
  expect(started).toHaveLength(5)
})

test('rejects a task that waited too long', async () => {
  vi.useFakeTimers()
  const limiter = createFairLimiter({ concurrency: 1, maxWaiting: 10, maxPerAddress: 10, waitTimeoutMs: 20_000 })
  const gate = Promise.withResolvers<string>()
  const first = limiter.run({ address: 'a', account: '' }, () => gate.promise)
  const late = limiter.run({ address: 'b', account: '' }, () => Promise.resolve('never'))
  const outcome = late.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await outcome).toMatchObject({ code: 'unavailable', remainingSeconds: 5 })
  gate.resolve('done')
  expect(await first).toBe('done')
  expect(await limiter.run({ address: 'c', account: '' }, () => Promise.resolve('next'))).toBe('next')
})
