import type { Connection, Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { isDuplicateKey } from '../../model.ts'
import type { ByteSink } from '../receive-stream.ts'
import { audioChunkModel } from './audio-file-model.ts'

/** Few round trips for an upload, and no more of it in memory than a listener needs at once: 1 MiB. */
export const chunkBytes = 1024 * 1024
/** Writes to the database at the same time. */
const maxConcurrent = 3

/** Opens a sink for the content of a file, which goes on at chunk `n`, of which `head` is stored already. The bytes written must not change. */
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
      // Where a later writer has written the chunk, none matches, and the unique index refuses another.
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

/** Returns the refusal of a writer that another has taken over from. */
function changedError(): AppError {
  return new AppError('conflict', 'This upload was changed over another connection.')
}
