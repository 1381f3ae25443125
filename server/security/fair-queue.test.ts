import { expect, test } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const roomy = { maxWaiting: 100, maxPerAddress: 100 }

function drain(queue: ReturnType<typeof createFairQueue<string>>): string[] {
  const order: string[] = []
  for (let next = queue.shift(); next; next = queue.shift()) order.push(next.item)
  return order
}

test('addresses take turns however many items each has', () => {
  const queue = createFairQueue<string>(roomy)
  for (const name of ['a1', 'a2', 'a3']) queue.push(name, { address: 'a', account: 'x' })
  for (const name of ['b1', 'b2']) queue.push(name, { address: 'b', account: 'x' })
  expect(drain(queue)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
})

test('a newcomer is next, ahead of any backlog', () => {
  const queue = createFairQueue<string>(roomy)
  for (const address of ['a', 'b', 'c'])
    for (let n = 0; n < 20; n += 1) queue.push(`${address}${n}`, { address, account: '' })
  for (let n = 0; n < 6; n += 1) queue.shift()
  queue.push('new', { address: 'd', account: '' })
  expect(queue.shift()?.item).toBe('new')
})

test('an address that sends one item at a time is not treated as a newcomer each time', () => {
  const queue = createFairQueue<string>(roomy)
  for (let n = 0; n < 4; n += 1) queue.push(`a${n}`, { address: 'a', account: '' })
  const served: string[] = []
  for (let n = 0; n < 4; n += 1) {
    queue.push(`b${n}`, { address: 'b', account: '' })
    served.push(queue.shift()?.item ?? '')
    served.push(queue.shift()?.item ?? '')
  }
  expect(served.filter((name) => name.startsWith('a'))).toHaveLength(4)
})

test('the accounts of one address take turns', () => {
  const queue = createFairQueue<string>(roomy)
  for (const name of ['x1', 'x2', 'x3']) queue.push(name, { address: 'proxy', account: 'x' })
  queue.push('y1', { address: 'proxy', account: 'y' })
  expect(drain(queue)).toEqual(['x1', 'y1', 'x2', 'x3'])
})

test('a full address rejects the flood of one account and makes room for its others', () => {
  const queue = createFairQueue<string>({ maxWaiting: 100, maxPerAddress: 3 })
  for (const name of ['x1', 'x2', 'x3']) expect(queue.push(name, { address: 'a', account: 'x' })).toBeUndefined()
  expect(queue.push('x4', { address: 'a', account: 'x' })).toEqual({ item: 'x4', reason: 'flooded' })
  expect(queue.push('y1', { address: 'a', account: 'y' })).toEqual({ item: 'x3', reason: 'flooded' })
  expect(queue.push('b1', { address: 'b', account: 'x' })).toBeUndefined()
  expect(queue.size()).toBe(4)
})

test('a full queue drops from the address with most items', () => {
  const queue = createFairQueue<string>({ maxWaiting: 4, maxPerAddress: 4 })
  for (const name of ['a1', 'a2', 'a3']) queue.push(name, { address: 'a', account: 'x' })
  queue.push('b1', { address: 'b', account: 'x' })
  expect(queue.push('c1', { address: 'c', account: 'x' })).toEqual({ item: 'a3', reason: 'full' })
  expect(queue.push('a4', { address: 'a', account: 'x' })).toEqual({ item: 'a4', reason: 'full' })
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('an account can have a limit of its own', () => {
  const queue = createFairQueue<string>({ ...roomy, maxPerAccount: 1 })
  queue.push('x1', { address: 'a', account: 'x' })
  expect(queue.push('x2', { address: 'a', account: 'x' })).toEqual({ item: 'x2', reason: 'flooded' })
  expect(queue.push('y1', { address: 'a', account: 'y' })).toBeUndefined()
})

test('an address with one waiting item can be served ahead of those with more', () => {
  const queue = createFairQueue<string>(roomy)
  for (const name of ['a1', 'a2']) queue.push(name, { address: 'a', account: 'x' })
  expect(queue.shiftLone(() => true)).toBeUndefined()
  queue.push('b1', { address: 'b', account: 'x' })
  expect(queue.shiftLone((address) => address !== 'b')).toBeUndefined()
  expect(queue.shiftLone(() => true)).toEqual({ item: 'b1', address: 'b' })
  expect(queue.size()).toBe(2)
})
