export interface SettledItem<Item, Result> {
  item: Item
  settled: PromiseSettledResult<Result>
}

export interface MapInOrderOptions {
  /** Number of items processed concurrently; 1 starts an item only after the outcome of the previous one has been consumed. */
  limit: number
  signal?: AbortSignal
}

/** Items per additional worker that may finish before an earlier one: a slow item must not block the others. */
const maxAheadPerWorker = 16

/**
 * Processes several items concurrently and yields their outcomes in the order of the items, regardless of which finishes first. Leaving the
 * loop early aborts the running items and waits for them, so that nothing continues afterwards.
 */
export async function* mapInOrder<Item extends object, Result>(
  items: readonly Item[],
  { limit, signal }: MapInOrderOptions,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<SettledItem<Item, Result>, void> {
  const stop = new AbortController()
  const workSignal = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  const maxAhead = (limit - 1) * maxAheadPerWorker + 1
  const started: Promise<PromiseSettledResult<Result>>[] = []
  let running = 0
  let consumed = 0

  async function run(item: Item): Promise<PromiseSettledResult<Result>> {
    running += 1
    const [settled] = await Promise.allSettled([work(item, workSignal)])
    running -= 1
    if (limit > 1) startMore()
    return settled
  }

  function startMore(): void {
    while (running < limit && started.length - consumed < maxAhead && !stop.signal.aborted) {
      const [item] = items.slice(started.length, started.length + 1)
      if (item === undefined) return
      started.push(run(item))
    }
  }

  try {
    for (const [index, item] of items.entries()) {
      startMore()
      const settled = await started[index]
      if (!settled) throw new Error('An item was not started')
      yield { item, settled }
      consumed += 1
    }
  } finally {
    stop.abort()
    await Promise.all(started)
  }
}
