import { addAbortSignal, PassThrough, type Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import type { AppendOptions } from './audio-store.ts'
import type { ByteSink } from './receive-stream.ts'

/** Bytes after which what arrived is flushed to the disk and reported: 8 MiB. */
const storedStepBytes = 8 * 1024 * 1024

/**
 * Writes a stream into a sink that begins at `offset`, and reports what is stored, including what arrived before a failure. The stream
 * is always read to its end: destroying a request would close the connection before the response is sent.
 */
export async function appendStream(
  stream: Readable,
  options: AppendOptions,
  openSink: () => Promise<ByteSink>,
): Promise<void> {
  const { body, failure } = follow(stream, options.signal)
  try {
    await using sink = await openSink()
    await append(body, options, sink)
    const error = failure()
    if (error) throw error
  } finally {
    stream.unpipe(body)
    stream.resume()
    body.destroy()
  }
}

/** Passes a stream on until it fails, including what came before, or the signal aborts. `failure` is known once `body` has ended. */
function follow(stream: Readable, signal: AbortSignal): { body: PassThrough; failure: () => Error | undefined } {
  const body = addAbortSignal(signal, new PassThrough())
  body.on('error', () => undefined) // its reader gets the error
  let failure: Error | undefined
  function end(error: Error) {
    failure ??= error
    body.end()
  }
  stream.once('error', end)
  function endUnlessComplete() {
    if (!stream.readableEnded) end(new Error('The connection was closed'))
  }
  stream.once('close', endUnlessComplete)
  if (stream.destroyed) endUnlessComplete()
  return { body: stream.pipe(body), failure: () => failure }
}

async function append(
  stream: Readable,
  { offset, maxBytes, signal, onReceived, onStored }: AppendOptions,
  sink: ByteSink,
): Promise<void> {
  let stored = offset

  async function store() {
    const end = offset + sink.writtenBytes
    if (end === stored) return
    await sink.store()
    stored = end
    await onStored(stored)
  }

  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      signal.throwIfAborted()
      onReceived()
      if (!Buffer.isBuffer(chunk)) throw new TypeError('An upload is a stream of bytes')
      if (sink.writtenBytes + chunk.length > maxBytes) throw partTooLargeError(maxBytes)
      await sink.write(chunk)
      if (offset + sink.writtenBytes - stored >= storedStepBytes) await store()
    }
  } catch (error) {
    await store().catch(() => undefined) // the first error says why
    throw error
  }
  await store()
}

/** Returns the error for a part with more bytes than its upload still needs. */
export function partTooLargeError(missingBytes: number): AppError {
  return new AppError(
    'upload_too_large',
    `This part is larger than the ${missingBytes} bytes that the file still lacks.`,
  )
}
