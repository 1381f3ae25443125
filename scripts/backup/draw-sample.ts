import { randomInt } from 'node:crypto'

/** Draws at most `count` items of a list at random, each at most once. */
export function drawSample<Item>(items: readonly Item[], count: number): Item[] {
  const rest = [...items]
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(randomInt(rest.length), 1)).flat()
}
