import { nextChange, readChangeNumbers, type ChangeNumbers } from './change-counter.ts'
import type { DatabaseConnection } from './connect.ts'

export interface ActivityIntervals {
  /** Interval between reads of the change numbers while active. Default 0.5 s. */
  activeMs: number
  /** The same interval at rest. Default 1.25 s: 48 reads a minute, which leaves room for what is checked every minute. */
  restMs: number
  /** How long a process stays active after the last change. Default 30 s: longer than from a change's number to its document. */
  activeForMs: number
}

const defaultIntervals: ActivityIntervals = { activeMs: 500, restMs: 1_250, activeForMs: 30_000 }
/** Minimum interval between wake-ups of processes: a batch queues a hundred jobs at once. */
const wakeIntervalMs = 100
/** Upper bound of any wait, for events that no change announces. */
const maxWaitMs = 60 * 60_000

export interface WaitOptions {
  /** How long to wait while active. */
  activeMs: number
  /** How long to wait at rest. Default and maximum 1 h. */
  restMs?: number
  signal?: AbortSignal
}

/**
 * Tells the loops of a process whether anything is happening in the product. Everything that leaves work for others takes a number
 * first (change-counter.ts), so a process that reads only that number can rest: docs/decisions/rest.md.
 */
export interface Activity {
  isActive(): boolean
  /** Keeps this process active for another 30 s, for instance while it does work that changes nothing. */
  keepActive(): void
  /** Tells all processes that work for them is about to be written, unless they are already active. Never rejects. */
  announce(): Promise<void>
  /** Ends all waits of this process now. */
  wake(): void
  /** Ends all waits in every process of this host. */
  wakeAll(): void
  /** Waits for the next round of a loop: until the time is up, this process is woken, or a change arrives while it rests. Never rejects. */
  wait(options: WaitOptions): Promise<void>
  /** Calls `listener` after each change, at most once per read. */
  onChange(listener: () => void): void
  /** Returns the number of the last roll call read. */
  rollCall(): number
  /** Calls `listener` when resting engines are asked whether they are alive. */
  onRollCall(listener: () => void): void
  close(): void
}

interface ActivityOptions {
  intervals?: ActivityIntervals
  /** Wakes the other processes of this host. Default: they find out by themselves. */
  wakeOthers?: () => void
}

/** Reads the change numbers of a connected database until closed. A process starts out active. */
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

  /** After an announcement this recent, all processes stay active long enough without another one. */
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

  /** Reads the change numbers. A failed read clears them: what happened while the database was unreachable is unknown. */
  async function read(): Promise<void> {
    const before = signals
    signals = await readChangeNumbers(connection).catch(() => undefined)
    if (isClosed || !signals) return
    if (signals.changes !== before?.changes) {
      keepActive()
      // The first number read may be from a change long ago.
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
