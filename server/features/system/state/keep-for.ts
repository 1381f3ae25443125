/** Returns a function that repeats its last result as long as that is younger than `maxAgeMs`. A failure is not kept. */
export function keepFor<Result>(maxAgeMs: number, read: () => Promise<Result>): () => Promise<Result> {
  let last: { at: number; result: Promise<Result> } | undefined
  return () => {
    if (last && performance.now() - last.at <= maxAgeMs) return last.result
    const result = read()
    last = { at: performance.now(), result }
    result.catch(() => (last = undefined))
    return result
  }
}
