import { expect, test } from 'vitest'
import { mapInOrder } from './map-in-order.ts'

interface Item {
  id: number
}

const items: Item[] = Array.from({ length: 40 }, (_, id) => ({ id }))

/** Returns work that the test settles in any order. */
function controlledWork() {
  const open = new Map<number, PromiseWithResolvers<number>>()
  const work = ({ id }: Item, signal: AbortSignal): Promise<number> => {
    const deferred = Promise.withResolvers<number>()
    open.set(id, deferred)
    signal.addEventListener('abort', () => deferred.reject(signal.reason))
    return deferred.promise
  }
  return { open, work }
}

/** Lets pending promise callbacks run. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

test('yields in the order of the items, whichever finishes first', async () => {
  const { open, work } = controlledWork()
  const taken: number[] = []
  const reading = (async () => {
    for await (const { item } of mapInOrder(items.slice(0, 4), { limit: 2 }, work)) taken.push(item.id)
  })()
  await settle()
  expect([...open.keys()]).toEqual([0, 1])
  open.get(1)?.resolve(1)
  await settle()
  open.get(2)?.resolve(2)
  await settle()
  expect(taken).toEqual([])
  expect([...open.keys()]).toEqual([0, 1, 2, 3])
  open.get(3)?.reject(new Error('failed'))
  open.get(0)?.resolve(0)
  await reading
  expect(taken).toEqual([0, 1, 2, 3])
})

test('with limit 1 an item is not started before the previous outcome was consumed', async () => {
  const { open, work } = controlledWork()
  const outcomes = mapInOrder(items, { limit: 1 }, work)
  const first = outcomes.next()
  open.get(0)?.resolve(0)
  await first
  await settle()
  expect([...open.keys()]).toEqual([0])
  await outcomes.return()
})

test('a failure is an outcome like any other', async () => {
  const outcomes = mapInOrder(items.slice(0, 2), { limit: 2 }, async ({ id }) => {
    if (id === 0) throw new Error('failed')
    return id
  })
  const found: string[] = []
  for await (const { settled } of outcomes) found.push(settled.status)
  expect(found).toEqual(['rejected', 'fulfilled'])
})

test('a hanging item limits how many others are started', async () => {
  let count = 0
  const stop = new AbortController()
  const outcomes = mapInOrder(items, { limit: 2, signal: stop.signal }, ({ id }, signal) => {
    count += 1
    if (id > 0) return Promise.resolve(id)
    return new Promise<number>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
  })
  const first = outcomes.next()
  await settle()
  expect(count).toBe(17)
  stop.abort()
  expect((await first).value).toMatchObject({ item: { id: 0 }, settled: { status: 'rejected' } })
  await outcomes.return()
  expect(count).toBe(17)
})

test('leaving the loop aborts the running items and waits for them', async () => {
  let running = 0
  const outcomes = mapInOrder(items, { limit: 3 }, async ({ id }, signal) => {
    if (id === 0) return id
    running += 1
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
    })
    running -= 1
    return id
  })
  for await (const { item } of outcomes) {
    expect(item.id).toBe(0)
    break
  }
  expect(running).toBe(0)
})
