/** Lets `width` tasks run at a time; the others wait in their order. */
export function createTurnstile(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter() {
    if (running < width) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** The place goes straight to whoever waits longest, so that nobody slips in between. */
  function leave() {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return async (task) => {
    await enter()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
