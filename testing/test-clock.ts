import type { Clock } from '#data/clock.ts'

export interface TestClock extends Clock {
  /** Advances the time, in milliseconds. */
  advance(ms: number): void
  /** Stops the clock: from then on only `advance` moves it, however long a test's calls take. */
  stop(): void
}

/** Creates a clock that runs with the real one and can be advanced; fake timers would hang the database driver. */
export function createTestClock(): TestClock {
  let offsetMs = 0
  let stoppedAt: number | undefined
  return {
    now: () => (stoppedAt ?? Date.now()) + offsetMs,
    advance: (ms) => {
      offsetMs += ms
    },
    stop: () => {
      stoppedAt = Date.now()
    },
  }
}
