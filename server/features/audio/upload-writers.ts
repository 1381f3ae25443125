import { AppError } from '#contract/app-error.ts'

/** After sending nothing for this long, a connection makes way for another: its client has changed networks, or is asleep. */
const staleMs = 2_000

/** The one request that may append to an upload. */
export interface UploadWriter {
  /** Aborts when another request takes its place. */
  signal: AbortSignal
  recordBytes(): void
  /** Announces that no more bytes will come: from now on others wait until what has arrived is stored. */
  end(): void
  release(): void
}

/** Lets one request of this server at a time append to each upload. */
export function createUploadWriters() {
  const writers = new Map<
    string,
    { stop: AbortController; lastBytesAt: number; isEnding: boolean; released: Promise<void> }
  >()

  /** Ends a request that has stopped sending. Throws `conflict` if it is still sending. */
  async function endStale(id: string): Promise<void> {
    for (let writer = writers.get(id); writer; writer = writers.get(id)) {
      const isStale = performance.now() - writer.lastBytesAt >= staleMs
      if (!isStale && !writer.isEnding) throw uploadBusyError()
      if (isStale) writer.stop.abort(uploadBusyError())
      await writer.released
    }
  }

  return {
    endStale,
    has: (id: string) => writers.has(id),
    /** Throws `conflict` while another request is sending. */
    async claim(id: string): Promise<UploadWriter> {
      await endStale(id)
      const stop = new AbortController()
      const { promise: released, resolve } = Promise.withResolvers<void>()
      const writer = { stop, lastBytesAt: performance.now(), isEnding: false, released }
      writers.set(id, writer)
      return {
        signal: stop.signal,
        recordBytes: () => {
          writer.lastBytesAt = performance.now()
        },
        end: () => {
          writer.isEnding = true
        },
        release() {
          writers.delete(id)
          resolve()
        },
      }
    },
  }
}

/** Returns the error for a second request that changes an upload. */
export function uploadBusyError(): AppError {
  return new AppError('conflict', 'This upload is being received over another connection.', {
    help: 'Try again in a few seconds.',
  })
}
