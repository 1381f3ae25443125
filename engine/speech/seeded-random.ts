/** Creates Park and Miller's random number generator, which returns the same numbers, 0 to 1, on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
