export interface FoundChange {
  recordingId: string
  ownerId: string
  /** Its number among all changes. */
  change: number
}

/** The first attempts follow at once: most failures are over by then. */
const hastyAttempts = 3
const minDelayMs = 1_000
const maxDelayMs = 5 * 60_000
/** About a day: a disk that is full, or a database that fails, is repaired by then. */
const maxAttempts = 300

interface FailedChange extends FoundChange {
  attempts: number
  dueAtMs: number
}

/** Remembers changes that could not be handled, and when each is tried again. */
export function createFailedChanges() {
  const failed = new Map<string, FailedChange>()

  return {
    /** Returns how often the change has failed. It is forgotten after about a day, until its recording changes again. */
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
    /** Returns in how many milliseconds the next one is due; Infinity where none failed. */
    dueInMs(nowMs: number): number {
      return Math.min(...failed.values().map(({ dueAtMs }) => dueAtMs - nowMs))
    },
    /** Returns the highest number up to which everything was handled, if no other change up to `after` is left. */
    handledUpTo(after: number): number {
      return failed.values().reduce((end, { change }) => Math.min(end, change - 1), after)
    },
  }
}
