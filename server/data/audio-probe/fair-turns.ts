interface Lane {
  running: number
  waiting: (() => void)[]
}

/** Runs a task at the turn of `key`. Aborting the signal removes the task from the queue and rejects with its reason. */
export type FairTurns = <T>(key: string, task: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/**
 * Runs at most `concurrency` tasks at a time, at most `concurrencyPerKey` of one key. Keys take turns however many tasks each has waiting.
 */
export function createFairTurns({
  concurrency,
  concurrencyPerKey,
}: {
  concurrency: number
  concurrencyPerKey: number
}): FairTurns {
  /** In the order of their next turn: starting or ending a task moves a key to the end. */
  const lanes = new Map<string, Lane>()
  let running = 0

  function beginNext() {
    for (const [key, lane] of lanes) {
      if (running >= concurrency) return
      if (lane.running >= concurrencyPerKey) continue
      const begin = lane.waiting.shift()
      if (!begin) continue
      running += 1
      lane.running += 1
      moveToEnd(key, lane)
      begin()
    }
  }

  function end(key: string, lane: Lane) {
    running -= 1
    lane.running -= 1
    moveToEnd(key, lane)
    removeIfIdle(key, lane)
    beginNext()
  }

  function moveToEnd(key: string, lane: Lane) {
    lanes.delete(key)
    lanes.set(key, lane)
  }

  function removeIfIdle(key: string, lane: Lane) {
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(key)
  }

  async function takeTurn(key: string, lane: Lane, signal?: AbortSignal) {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      lane.waiting = lane.waiting.filter((begin) => begin !== resolve)
      removeIfIdle(key, lane)
      reject(signal?.reason)
    }
    lane.waiting.push(resolve)
    signal?.addEventListener('abort', leave, { once: true })
    beginNext()
    await promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  return async (key, task, signal) => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] }
    lanes.set(key, lane)
    try {
      await takeTurn(key, lane, signal)
    } catch (error) {
      removeIfIdle(key, lane)
      throw error
    }
    try {
      return await task()
    } finally {
      end(key, lane)
    }
  }
}
