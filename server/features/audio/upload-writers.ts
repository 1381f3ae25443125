import { AppError } from '#contract/app-error.ts'

/** A connection that has sent nothing for this long makes way for another one: its client has moved to another network, or sleeps. */
const staleMs = 2_000

/** The one request that may append to an upload. */
export interface UploadWriter {
  /** Aborts when another request takes its place. */
  signal: AbortSignal
  recordBytes(): void
  /** Says that no more bytes will come: others wait from now on until what came is stored. */
  end(): void
  release(): void
}

/** Lets one request of this server at a time append to each upload. */
export function createUploadWriters() {
  const writers = new Map<
    string,
    { stop: AbortController; lastBytesAt: number; isEnding: boolean; released: Promise<void> }
  >()

  /** Ends a request that sends nothing any more. Throws `conflict` where one does. */
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
    /** Throws `conflict` while another request sends. */
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

/** Returns the refusal of a second request that changes an upload. */
export function uploadBusyError(): AppError {
  return new AppError('conflict', 'This upload is being received over another connection.', {
    help: 'Try again in a few seconds.',
  })
}
