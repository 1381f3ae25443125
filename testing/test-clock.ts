import type { Clock } from '#data/clock.ts'

export interface TestClock extends Clock {
  /** Advances the time, in milliseconds. */
  advance(ms: number): void
}

/** Creates a clock that runs with the real one and can be advanced; fake timers would hang the database driver. */
export function createTestClock(): TestClock {
  let offsetMs = 0
  return {
    now: () => Date.now() + offsetMs,
    advance: (ms) => {
      offsetMs += ms
    },
  }
}
