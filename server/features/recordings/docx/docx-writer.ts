import { Piscina } from 'piscina'
import { AppError } from '#contract/app-error.ts'
import type { TranscriptReport } from '#contract/formats/report.ts'

/** A call of an hour takes about a second; what waits longer than this is given up. */
const maxWaiting = 16
const idleTimeoutMs = 30_000
/** Ten times what a call of an hour needs. */
const maxHeapMb = 1_024

export interface DocxWriter {
  /** Writes a report as a Word document. Throws `unavailable` while too many are waiting, or where it takes too long. */
  write(report: TranscriptReport): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Writes Word documents in a thread of its own, one at a time: a long call is a second of computing, which would hold up every other
 * request. The thread ends when nothing was written for a while, with the memory that it used.
 */
export function createDocxWriter({ timeoutMs = 60_000 } = {}): DocxWriter {
  const pool = new Piscina<TranscriptReport, Uint8Array>({
    filename: new URL('./docx-worker.ts', import.meta.url).href,
    name: 'writeDocx',
    minThreads: 0,
    maxThreads: 1,
    maxQueue: maxWaiting,
    idleTimeout: idleTimeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
  return {
    async write(report) {
      if (pool.queueSize >= maxWaiting) throw busyError()
      const signal = AbortSignal.timeout(timeoutMs)
      const content = await pool.run(report, { signal }).catch((error: unknown) => {
        throw signal.aborted ? busyError() : error
      })
      return Buffer.from(content)
    },
    close: () => pool.destroy(),
  }
}

function busyError(): AppError {
  return new AppError('unavailable', 'The server is busy. Please try again in a few seconds.')
}
