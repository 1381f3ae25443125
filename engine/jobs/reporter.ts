import type { LeasedJob } from '#data/jobs/lease.ts'
import { createProgressWriter, type Progress } from '#data/jobs/progress.ts'
import type { Queue } from '#data/jobs/queue.ts'

/** Nobody reads progress more often: the server looks every 500 ms. */
const everyMs = 400

export interface Reporter {
  (progress: Progress): void
  /** Resolves when no write is under way. */
  settled(): Promise<void>
}

/** Writes the latest progress of a job, one write at a time and not too often. A write that fails is made up for by the next. */
export function createReporter(queue: Queue, job: LeasedJob, onLost: () => void): Reporter {
  const write = createProgressWriter(queue, job)
  let latest: Progress | undefined
  let writing: Promise<void> | undefined
  let writtenAt = -everyMs

  async function writeLatest() {
    while (latest) {
      const progress = latest
      latest = undefined
      writtenAt = performance.now()
      const isHeld = await write(progress).catch(() => undefined)
      if (isHeld === false) onLost()
      if (performance.now() - writtenAt < everyMs) break
    }
    writing = undefined
  }

  function report(progress: Progress) {
    latest = progress
    if (!writing && performance.now() - writtenAt >= everyMs) writing = writeLatest()
  }

  return Object.assign(report, { settled: async () => writing })
}
