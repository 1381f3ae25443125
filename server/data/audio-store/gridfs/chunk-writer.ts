import type { Connection, Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { isDuplicateKey } from '../../model.ts'
import type { ByteSink } from '../receive-stream.ts'
import { audioChunkModel } from './audio-file-model.ts'

/** Large enough for few round trips per upload, and no more in memory than a listener needs at once: 1 MiB. */
export const chunkBytes = 1024 * 1024
/** Maximum number of concurrent writes to the database. */
const maxConcurrent = 3

/** Opens a sink for the content of a file. It continues at chunk `n`, of which `head` is stored. Written bytes must not change. */
export function openChunkWriter(
  connection: Connection,
  fileId: Types.ObjectId,
  { n = 0, head = Buffer.alloc(0), generation = 0 }: { n?: number; head?: Buffer; generation?: number } = {},
): ByteSink {
  const { collection } = audioChunkModel(connection)
  const writing = new Set<Promise<void>>()
  let pieces: Buffer[] = [head]
  let length = head.length
  let writtenBytes = 0
  let failure: { error: unknown } | undefined

  /** Replaces the chunk, so that a write whose reply was lost can be repeated. */
  async function replaceChunk(data: Buffer, at: number): Promise<void> {
    try {
      const key = { files_id: fileId, n: at }
      // If a later writer has written the chunk, nothing matches, and the unique index rejects a second one.
      const filter = { ...key, generation: { $lte: generation } }
      await collection.replaceOne(filter, { ...key, data, generation }, { upsert: true })
    } catch (error) {
      failure ??= { error: isDuplicateKey(error) ? changedError() : error }
    }
  }

  async function startWriting(data: Buffer, at: number): Promise<void> {
    while (writing.size >= maxConcurrent) await Promise.race(writing)
    if (failure) throw failure.error
    const write = replaceChunk(data, at).finally(() => writing.delete(write))
    writing.add(write)
  }

  return {
    get writtenBytes() {
      return writtenBytes
    },
    async write(bytes) {
      for (let at = 0; at < bytes.length;) {
        const piece = bytes.subarray(at, at + chunkBytes - length)
        pieces.push(piece)
        length += piece.length
        at += piece.length
        writtenBytes += piece.length
        if (length < chunkBytes) continue
        const whole = Buffer.concat(pieces)
        pieces = []
        length = 0
        await startWriting(whole, n++)
      }
    },
    async store() {
      pieces = [Buffer.concat(pieces)]
      const [rest] = pieces
      if (rest && rest.length > 0) await startWriting(rest, n)
      await Promise.all(writing)
      if (failure) throw failure.error
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(writing)
    },
  }
}

/** Returns the error for a writer that another has superseded. */
function changedError(): AppError {
  return new AppError('conflict', 'This upload was changed over another connection.')
}
