export interface SettledItem<Item, Result> {
  item: Item
  settled: PromiseSettledResult<Result>
}

export interface MapInOrderOptions {
  /** Items worked on at once; 1 starts an item only when the outcome of the one before was taken. */
  limit: number
  signal?: AbortSignal
}

/** So many items for each further one at work may be finished while an earlier one is not: a slow one must not stop the others. */
const maxAheadPerWorker = 16

/**
 * Works on several items at once and yields their outcomes in the order of the items, whichever is finished first. Leaving the loop
 * early aborts what is at work and waits for it, so that nothing goes on afterwards.
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
  let taken = 0

  async function run(item: Item): Promise<PromiseSettledResult<Result>> {
    running += 1
    const [settled] = await Promise.allSettled([work(item, workSignal)])
    running -= 1
    if (limit > 1) startMore()
    return settled
  }

  function startMore(): void {
    while (running < limit && started.length - taken < maxAhead && !stop.signal.aborted) {
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
      taken += 1
    }
  } finally {
    stop.abort()
    await Promise.all(started)
  }
}
