import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { cancellationError } from '#engine/child/child-process.ts'
import { withDiskErrors } from '../disk.ts'

/** Copies a file; calls `onBytes` with the size of each chunk. */
export async function copyFile(
  from: string,
  to: string,
  { signal, onBytes }: { signal?: AbortSignal; onBytes?: (bytes: number) => void },
): Promise<void> {
  const meter = new Transform({
    transform(chunk: Buffer, _, callback) {
      onBytes?.(chunk.length)
      callback(null, chunk)
    },
  })
  const source = createReadStream(from, { highWaterMark: 1024 * 1024 })
  await withDiskErrors(to, () => pipeline(source, meter, createWriteStream(to), { signal })).catch((error: unknown) => {
    throw signal?.aborted ? cancellationError(signal) : error
  })
}
