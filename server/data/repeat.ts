import type { Activity } from './activity.ts'

interface RepeatOptions {
  run: () => Promise<unknown>
  /** Interval while the product is active. */
  activeMs: number
  /** Interval at rest, for work that must be done even then; waking this process does not hasten it. Default: none. */
  restMs?: number
  /**
   * Returns in how many milliseconds something is due, Infinity where nothing is; reads only. If given, `run` is called only when something
   * is due, also at rest. Default: `run` is called at the interval, but not at rest.
   */
  dueInMs?: () => Promise<number>
  onError: (error: unknown) => void
}

/**
 * Runs something repeatedly while the product is active, and at rest only when it is due. Returns a function that stops it and resolves
 * when the running call has ended.
 */
export function repeat(activity: Activity, options: RepeatOptions): () => Promise<void> {
  const { run, activeMs, restMs, onError } = options
  const stop = new AbortController()
  const { signal } = stop
  let ranAtMs = performance.now()

  /** Returns in how many milliseconds the next run at an interval is due. */
  const leftMs = (intervalMs: number) => ranAtMs + intervalMs - performance.now()

  async function isDue(): Promise<boolean> {
    if (restMs !== undefined) return leftMs(activity.isActive() ? activeMs : restMs) <= 0
    return options.dueInMs ? (await options.dueInMs()) <= 0 : activity.isActive()
  }

  /** Waits even if something is due: another process may be doing it. */
  async function waitForNext(): Promise<void> {
    if (restMs !== undefined)
      return activity.wait({ activeMs: Math.max(1, leftMs(activeMs)), restMs: Math.max(1, leftMs(restMs)), signal })
    const dueMs = options.dueInMs && !activity.isActive() ? await options.dueInMs() : Infinity
    await activity.wait({ activeMs, restMs: Math.max(activeMs, dueMs), signal })
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        await waitForNext()
        if (signal.aborted || !(await isDue())) continue
        ranAtMs = performance.now()
        await run()
      } catch (error) {
        onError(error)
        activity.keepActive()
        await activity.wait({ activeMs, signal })
      }
    }
  }

  const ended = loop()
  return async () => {
    stop.abort()
    await ended
  }
}

/** Returns the milliseconds until a time; Infinity for none. */
export function msUntil(time: Date | null | undefined, nowMs: number): number {
  return time ? time.getTime() - nowMs : Infinity
}
