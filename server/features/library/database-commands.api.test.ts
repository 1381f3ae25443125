import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCountedProduct, type CountedAction } from '#testing/counted-actions.ts'

/** In all: of the request, the follower and what the page asks again. */
const maxCommands: Record<CountedAction, number> = {
  'add a tag': 12,
  'rename a recording': 29,
  'open a call': 14,
  'set a filter': 3,
  'turn a page': 3,
  'edit a line': 48,
  'add a note': 41,
}

/** What the server does by the clock falls into one of them, if any. */
const rounds = 3

let product: Awaited<ReturnType<typeof startCountedProduct>>

beforeAll(async () => {
  product = await startCountedProduct({ recordings: 60 })
})
afterAll(() => product.close())

test.each(Object.entries(maxCommands) as [CountedAction, number][])(
  'to %s takes at most %i database commands',
  async (action, max) => {
    const counted: string[][] = []
    for (let round = 0; round < rounds; round += 1) counted.push(Object.values(await product.actions[action]()).flat())
    const [fewest = []] = counted.toSorted((a, b) => a.length - b.length)
    // All of them where there are more than allowed.
    expect(fewest.length > max ? fewest : []).toEqual([])
  },
)
