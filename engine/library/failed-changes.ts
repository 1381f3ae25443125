export interface FoundChange {
  recordingId: string
  ownerId: string
  /** The sequence number of the change. */
  change: number
}

/** The first attempts follow in quick succession: most failures are over by then. */
const hastyAttempts = 3
const minDelayMs = 1_000
const maxDelayMs = 5 * 60_000
/** About a day: a full disk or a failing database is repaired by then. */
const maxAttempts = 300

interface FailedChange extends FoundChange {
  attempts: number
  dueAtMs: number
}

/** Remembers changes that could not be handled, and when each is tried again. */
export function createFailedChanges() {
  const failed = new Map<string, FailedChange>()

  return {
    /** Returns how often the change has failed. After about a day it is forgotten, until its recording changes again. */
    add(found: FoundChange, nowMs: number): number {
      const known = failed.get(found.recordingId)
      const attempts = (known?.attempts ?? 0) + 1
      const delayMs = Math.min(maxDelayMs, minDelayMs * 2 ** (attempts - hastyAttempts))
      const dueAtMs = attempts <= hastyAttempts ? nowMs : nowMs + delayMs
      const change = Math.min(found.change, known?.change ?? Infinity)
      if (attempts < maxAttempts) failed.set(found.recordingId, { ...found, change, attempts, dueAtMs })
      else failed.delete(found.recordingId)
      return attempts
    },
    remove(recordingId: string): void {
      failed.delete(recordingId)
    },
    clear(): void {
      failed.clear()
    },
    findDue(nowMs: number): FoundChange[] {
      return [...failed.values()].filter(({ dueAtMs }) => dueAtMs <= nowMs)
    },
    /** Returns the milliseconds until the next failed change is due; Infinity if there is none. */
    dueInMs(nowMs: number): number {
      return Math.min(...failed.values().map(({ dueAtMs }) => dueAtMs - nowMs))
    },
    /** Returns the highest number up to which everything has been handled, provided that no other change up to `after` is left. */
    handledUpTo(after: number): number {
      return failed.values().reduce((end, { change }) => Math.min(end, change - 1), after)
    },
  }
}
