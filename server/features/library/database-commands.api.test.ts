import { afterAll, beforeAll, expect, test } from 'vitest'
import { startCountedProduct, type CountedAction } from '#testing/counted-actions.ts'

/** The total, including the request, the follower and what the page requests again. */
const maxCommands: Record<CountedAction, number> = {
  'add a tag': 12,
  'rename a recording': 29,
  'open a call': 14,
  'set a filter': 3,
  'turn a page': 3,
  'edit a line': 48,
  'add a note': 41,
}

/** The server's periodic work falls into one of these rounds at most. */
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
    // Lists all the commands if there are more than allowed.
    expect(fewest.length > max ? fewest : []).toEqual([])
  },
)
