import { nextChange, readChangeNumbers, type ChangeNumbers } from './change-counter.ts'
import type { DatabaseConnection } from './connect.ts'

export interface ActivityIntervals {
  /** Interval between reads of the numbers while something happens. Default 0.5 s. */
  activeMs: number
  /** The same at rest. Default 1.25 s: 48 a minute, which leaves room for what is checked every minute. */
  restMs: number
  /** How long a process stays active after the last change. Default 30 s: longer than a change takes from its number to its document. */
  activeForMs: number
}

const defaultIntervals: ActivityIntervals = { activeMs: 500, restMs: 1_250, activeForMs: 30_000 }
/** Processes are woken no more often: a batch queues a hundred jobs at once. */
const wakeIntervalMs = 100
/** For what no change announces. */
const maxWaitMs = 60 * 60_000

export interface WaitOptions {
  /** How long to wait while something happens. */
  activeMs: number
  /** How long to wait at rest. Default and maximum 1 h. */
  restMs?: number
  signal?: AbortSignal
}

/**
 * Tells the loops of a process whether anything happens in the product. Everything that leaves work for others takes a number first
 * (change-counter.ts), so that a process which reads only that number can rest: docs/decisions/rest.md.
 */
export interface Activity {
  isActive(): boolean
  /** Keeps this process active for another 30 s, as while it has work that changes nothing. */
  keepActive(): void
  /** Tells all processes that work for them is about to be written, unless they are active anyway. Never rejects. */
  announce(): Promise<void>
  /** Ends all waits of this process now. */
  wake(): void
  /** The same in every process of this host. */
  wakeAll(): void
  /** Waits for the next round of a loop: until the time is over, this process is woken, or something happens while it rests. Never rejects. */
  wait(options: WaitOptions): Promise<void>
  /** Calls `listener` after each change, at most once for each read. */
  onChange(listener: () => void): void
  /** Returns the number of the last roll call that was read. */
  rollCall(): number
  /** Calls `listener` when engines at rest are asked whether they live. */
  onRollCall(listener: () => void): void
  close(): void
}

interface ActivityOptions {
  intervals?: ActivityIntervals
  /** Wakes the other processes of this host. Default: they find out by themselves. */
  wakeOthers?: () => void
}

/** Reads the numbers of a connected database until it is closed. A process begins active. */
export function watchActivity(
  connection: DatabaseConnection,
  { intervals = defaultIntervals, wakeOthers = () => undefined }: ActivityOptions = {},
): Activity {
  const waits = new Set<{ end: () => void; isResting: boolean }>()
  const changeListeners: (() => void)[] = []
  const rollCallListeners: (() => void)[] = []
  let signals: ChangeNumbers | undefined
  let lastChangeAtMs = performance.now()
  let announcedAtMs = -Infinity
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let wakeTimer: NodeJS.Timeout | undefined
  let isWakeDue = false

  /** All processes stay active for long enough when a change was announced this recently. */
  const announceIntervalMs = intervals.activeForMs / 3

  const isActive = () => performance.now() - lastChangeAtMs < intervals.activeForMs

  function keepActive(): void {
    lastChangeAtMs = performance.now()
    for (const { end, isResting } of waits) if (isResting) end()
  }

  function wake(): void {
    lastChangeAtMs = performance.now()
    for (const { end } of waits) end()
  }

  /** What happened while the database could not be reached is unknown. */
  async function read(): Promise<void> {
    const before = signals
    signals = await readChangeNumbers(connection).catch(() => undefined)
    if (isClosed || !signals) return
    if (signals.changes !== before?.changes) {
      keepActive()
      // What this process reads first may have been long ago.
      if (before) announcedAtMs = performance.now()
      for (const listener of changeListeners) listener()
    }
    if (before && signals.rollCalls !== before.rollCalls) for (const listener of rollCallListeners) listener()
  }

  async function poll(): Promise<void> {
    await read()
    if (!isClosed) timer = setTimeout(() => void poll(), isActive() ? intervals.activeMs : intervals.restMs).unref()
  }

  async function announce(): Promise<void> {
    keepActive()
    if (performance.now() - announcedAtMs < announceIntervalMs) return
    announcedAtMs = performance.now()
    await nextChange(connection).catch(() => (announcedAtMs = -Infinity))
  }

  function wait({ activeMs, restMs = maxWaitMs, signal }: WaitOptions): Promise<void> {
    return new Promise((resolve) => {
      const isResting = !isActive()
      const waiting = { end, isResting }
      const ending = setTimeout(end, Math.min(isResting ? restMs : activeMs, maxWaitMs)).unref()
      function end() {
        clearTimeout(ending)
        signal?.removeEventListener('abort', end)
        waits.delete(waiting)
        resolve()
      }
      if (signal?.aborted || isClosed) return end()
      signal?.addEventListener('abort', end)
      waits.add(waiting)
    })
  }

  function wakeAll(): void {
    isWakeDue = wakeTimer !== undefined
    if (isWakeDue || isClosed) return
    wake()
    wakeOthers()
    wakeTimer = setTimeout(() => {
      wakeTimer = undefined
      if (isWakeDue) wakeAll()
    }, wakeIntervalMs).unref()
  }

  void poll()
  return {
    isActive,
    keepActive,
    announce,
    wake,
    wakeAll,
    wait,
    onChange: (listener) => void changeListeners.push(listener),
    rollCall: () => signals?.rollCalls ?? 0,
    onRollCall: (listener) => void rollCallListeners.push(listener),
    close() {
      isClosed = true
      clearTimeout(timer)
      clearTimeout(wakeTimer)
      for (const { end } of waits) end()
    },
  }
}
