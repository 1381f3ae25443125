import type { LeasedJob } from '#data/jobs/lease.ts'
import { createProgressWriter, type Progress } from '#data/jobs/progress.ts'
import type { Queue } from '#data/jobs/queue.ts'

/** The server polls every 500 ms, so writing progress more often is pointless. */
const minIntervalMs = 400

export interface Reporter {
  (progress: Progress): void
  /** Resolves when no write is in progress. */
  settled(): Promise<void>
}

/** Writes the latest progress of a job, one write at a time and not too often. The next write makes up for a failed one. */
export function createReporter(queue: Queue, job: LeasedJob, onLost: () => void): Reporter {
  const write = createProgressWriter(queue, job)
  let latest: Progress | undefined
  let writing: Promise<void> | undefined
  let writtenAt = -minIntervalMs

  async function writeLatest() {
    while (latest) {
      const progress = latest
      latest = undefined
      writtenAt = performance.now()
      const isHeld = await write(progress).catch(() => undefined)
      if (isHeld === false) onLost()
      if (performance.now() - writtenAt < minIntervalMs) break
    }
    writing = undefined
  }

  function report(progress: Progress) {
    latest = progress
    if (!writing && performance.now() - writtenAt >= minIntervalMs) writing = writeLatest()
  }

  return Object.assign(report, { settled: async () => writing })
}
