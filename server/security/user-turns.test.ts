import { expect, test } from 'vitest'
import { createUserTurns } from './user-turns.ts'

/** Creates tasks that end on demand, and records the order in which they began. */
function tasks() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const make = (name: string) => () => {
    begun.push(name)
    return new Promise<void>((resolve) => ends.set(name, resolve))
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  async function end(name: string) {
    ends.get(name)?.()
    await settle()
  }
  return { begun, make, end, settle }
}

test('one user takes no more than its share, and another does not wait for its backlog', async () => {
  const turns = createUserTurns({ concurrency: 2, concurrencyPerUser: 1 })
  const { begun, make, end, settle } = tasks()
  for (const name of ['a1', 'a2', 'a3']) void turns('a', make(name))
  await settle()
  expect(begun).toEqual(['a1'])
  for (const name of ['b1', 'b2']) void turns('b', make(name))
  void turns('c', make('c1'))
  await settle()
  expect(begun).toEqual(['a1', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'b1', 'c1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'b1', 'c1', 'b2'])
  await end('c1')
  expect(begun).toEqual(['a1', 'b1', 'c1', 'b2', 'a2'])
})

test('who gives up leaves the queue, and a failed task its place', async () => {
  const turns = createUserTurns({ concurrency: 1, concurrencyPerUser: 1 })
  const { begun, make, end, settle } = tasks()
  void turns('a', make('a1'))
  const leaving = new AbortController()
  const left = turns('a', make('a2'), leaving.signal)
  void turns('a', make('a3'))
  await settle()
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  await expect(turns('b', make('b1'), AbortSignal.abort(new Error('never')))).rejects.toThrow('never')
  await end('a1')
  expect(begun).toEqual(['a1', 'a3'])
  const failing = turns('b', () => Promise.reject(new Error('broken'))).catch((error: Error) => error.message)
  await end('a3')
  expect(await failing).toBe('broken')
  await expect(turns('c', async () => 'fine')).resolves.toBe('fine')
})
