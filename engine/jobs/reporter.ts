import { writeProgress, type LeasedJob } from '#data/queue/lease.ts'
import type { Queue } from '#data/queue/queue.ts'

/** Nobody reads progress more often: the server looks every 500 ms. */
const everyMs = 400

export interface Reporter {
  (progress: object): void
  /** Resolves when no write is under way. */
  settled(): Promise<void>
}

/** Writes the latest progress of a job, one write at a time and not too often. A write that fails is made up for by the next. */
export function createReporter(queue: Queue, job: LeasedJob, onLost: () => void): Reporter {
  let latest: object | undefined
  let writing: Promise<void> | undefined
  let writtenAt = 0

  async function writeLatest() {
    while (latest) {
      const progress = latest
      latest = undefined
      writtenAt = Date.now()
      const isHeld = await writeProgress(queue, job, progress).catch(() => undefined)
      if (isHeld === false) onLost()
      if (Date.now() - writtenAt < everyMs) break
    }
    writing = undefined
  }

  function report(progress: object) {
    latest = progress
    if (!writing && Date.now() - writtenAt >= everyMs) writing = writeLatest()
  }

  return Object.assign(report, { settled: async () => writing })
}
