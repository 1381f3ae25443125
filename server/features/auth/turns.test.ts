import { afterEach, expect, test, vi } from 'vitest'
import { createTurns, networkOf } from './turns.ts'

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

test('runs so many at once, and the next one when one ends, also by an error', async () => {
  const turns = createTurns({ concurrent: 2, maxWaiting: 10, maxPerAddress: 10 })
  const gates = [1, 2, 3].map(() => Promise.withResolvers<string>())
  const begun: number[] = []
  const results = gates.map(({ promise }, index) =>
    turns.take({ address: 'a', account: '' }, () => {
      begun.push(index)
      return promise
    }),
  )
  await vi.waitFor(() => expect(begun).toEqual([0, 1]))
  gates[0]?.reject(new Error('failed'))
  await expect(results[0]).rejects.toThrow('failed')
  gates[1]?.resolve('second')
  gates[2]?.resolve('third')
  expect(await Promise.all(results.slice(1))).toEqual(['second', 'third'])
  expect(begun).toEqual([0, 1, 2])
})

test('refuses a flood with the time to wait, and nobody else', async () => {
  const turns = createTurns({ concurrent: 1, maxWaiting: 100, maxPerAddress: 2 })
  const gate = Promise.withResolvers<string>()
  const take = (address: string) => turns.take({ address, account: '' }, () => gate.promise)
  const taken = [take('a'), take('a'), take('a')]
  await expect(take('a')).rejects.toMatchObject({ code: 'rate_limited', remainingSeconds: 5 })
  const other = take('b')
  gate.resolve('done')
  expect(await Promise.all([...taken, other])).toEqual(['done', 'done', 'done', 'done'])
})

test('runs one more for an address that has nothing else, past the backlog of others', async () => {
  const turns = createTurns({ concurrent: 1, express: 1, maxWaiting: 10, maxPerAddress: 10 })
  const gate = Promise.withResolvers<string>()
  const begun: string[] = []
  const take = (address: string) =>
    turns.take({ address, account: '' }, () => {
      begun.push(address)
      return gate.promise
    })
  const taken = ['flood', 'flood', 'flood', 'lone', 'lone'].map(take)
  await vi.waitFor(() => expect(begun).toEqual(['flood', 'lone']))
  gate.resolve('done')
  await Promise.all(taken)
  expect(begun).toHaveLength(5)
})

test('lets nobody wait for ever', async () => {
  vi.useFakeTimers()
  const turns = createTurns({ concurrent: 1, maxWaiting: 10, maxPerAddress: 10, maxWaitMs: 20_000 })
  const gate = Promise.withResolvers<string>()
  const first = turns.take({ address: 'a', account: '' }, () => gate.promise)
  const late = turns.take({ address: 'b', account: '' }, () => Promise.resolve('never'))
  const outcome = late.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await outcome).toMatchObject({ code: 'unavailable', remainingSeconds: 5 })
  gate.resolve('done')
  expect(await first).toBe('done')
  expect(await turns.take({ address: 'c', account: '' }, () => Promise.resolve('next'))).toBe('next')
})
