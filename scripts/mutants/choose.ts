// A random choice that is the same for the same seed, so that runs can be repeated and compared.

/** Returns a generator (mulberry32) of numbers from 0 up to, but not including, 1. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns `count` of the items, or all when there are fewer, in their original order. */
export function chooseBySeed<T>(items: T[], count: number, seed: number): T[] {
  const random = randomNumbers(seed)
  const drawn = items.map((item, index) => ({ item, index, draw: random() }))
  const chosen = drawn.toSorted((a, b) => a.draw - b.draw).slice(0, count)
  return chosen.toSorted((a, b) => a.index - b.index).map(({ item }) => item)
}
