import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { ReceiveLimits } from './audio-store.ts'
import { tooLargeError } from './upload-errors.ts'

/** Takes the bytes of an upload in order. */
export interface ByteSink extends AsyncDisposable {
  /** Bytes written so far, including those of a failed write. */
  readonly writtenBytes: number
  write(bytes: Buffer): Promise<void>
  /** Waits until all bytes survive a crash of the machine. */
  store(): Promise<void>
}

/**
 * Writes a stream into a sink, hashing it on the way. Throws `upload_too_large` at the first byte above the limit, the signal's reason when it
 * aborts, and the errors of stream and sink; the rest of the stream is then drained.
 */
export async function receiveStream(
  stream: Readable,
  { maxBytes, signal, onReceived }: ReceiveLimits,
  openSink: () => Promise<ByteSink>,
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const abort = () => void stream.destroy(toError(signal?.reason))
  signal?.addEventListener('abort', abort, { once: true })
  stream.on('error', () => undefined) // an error that occurs before the stream is read
  try {
    signal?.throwIfAborted()
    await using sink = await openSink()
    // Destroying the stream here would send the client an error before ours is sent and the file is deleted.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      signal?.throwIfAborted()
      if (!Buffer.isBuffer(chunk)) throw new TypeError('An upload is a stream of bytes')
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw tooLargeError(maxBytes)
      await onReceived?.(sizeBytes)
      hash.update(chunk)
      await sink.write(chunk)
    }
    signal?.throwIfAborted()
    await sink.store()
  } catch (error) {
    stream.resume()
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

/** Writes to an open file from a position, by default its start; closes the file when disposed. */
export function fileSink(file: FileHandle, position = 0): ByteSink {
  let writtenBytes = 0
  return {
    get writtenBytes() {
      return writtenBytes
    },
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + writtenBytes)
        at += bytesWritten
        writtenBytes += bytesWritten
      }
    },
    store: () => file.datasync(),
    [Symbol.asyncDispose]: () => file.close(),
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The upload was stopped')
}
