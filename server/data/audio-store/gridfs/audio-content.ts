import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Connection } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { toObjectId } from '../../ids.ts'
import { audioChunkModel, audioFileModel } from './audio-file-model.ts'

/** Chunks that a reader requests from the database at once: more would only wait in memory. */
const chunksPerBatch = 3

/** Reads the bytes of a file from `start` to `end`, both included. The stream fails if a chunk is missing. */
export function readAudio(connection: Connection, id: string, range: { start: number; end: number }): Readable {
  return Readable.from(readChunks(connection, id, range), { objectMode: false })
}

async function* readChunks(
  connection: Connection,
  id: string,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  const _id = toObjectId(id)
  const file = await audioFileModel(connection).findById(_id, { chunkSize: 1 }).lean()
  if (!file) throw missingError()
  const { chunkSize } = file
  let n = Math.floor(start / chunkSize)
  const last = Math.floor(end / chunkSize)
  const chunks = audioChunkModel(connection)
    .find({ files_id: _id, n: { $gte: n, $lte: last } }, { _id: 0, n: 1, data: 1 })
    .sort({ n: 1 })
    .batchSize(chunksPerBatch)
    .lean()
  for await (const chunk of chunks.cursor()) {
    if (chunk.n !== n) break
    const from = n * chunkSize
    yield toBuffer(chunk.data).subarray(Math.max(0, start - from), end + 1 - from)
    n += 1
  }
  if (n <= last) throw missingError()
}

/** Returns the first bytes of a chunk. */
export async function readChunkHead(
  connection: Connection,
  id: string,
  { n, sizeBytes }: { n: number; sizeBytes: number },
): Promise<Buffer> {
  if (sizeBytes === 0) return Buffer.alloc(0)
  const chunk = await audioChunkModel(connection)
    .findOne({ files_id: toObjectId(id), n }, { data: 1 })
    .lean()
  const head = chunk && toBuffer(chunk.data).subarray(0, sizeBytes)
  if (head?.length !== sizeBytes) throw missingError()
  return head
}

/** Writes a whole file to a path. */
export async function downloadAudio(connection: Connection, id: string, path: string): Promise<void> {
  const file = await audioFileModel(connection).findById(toObjectId(id), { length: 1 }).lean()
  if (!file) throw missingError()
  const content = file.length === 0 ? Readable.from([]) : readAudio(connection, id, { start: 0, end: file.length - 1 })
  await pipeline(content, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
}

/** Deletes a file with its content, the content first: what a crash leaves behind is found through the file. */
export async function deleteAudio(connection: Connection, id: string): Promise<void> {
  await deleteChunks(connection, id)
  await audioFileModel(connection).deleteOne({ _id: toObjectId(id) })
}

/** Few enough for even a slow disk to delete within the 3 s that a command has. */
const chunksPerDeletion = 16

/** Deletes the chunks of a file from chunk `from` onwards, last first. */
export async function deleteChunks(connection: Connection, id: string, { from = 0 } = {}): Promise<void> {
  const chunks = audioChunkModel(connection)
  const files_id = toObjectId(id)
  const last = await chunks.findOne({ files_id }, { n: 1 }).sort({ n: -1 }).lean()
  for (let end = (last?.n ?? -1) + 1; end > from; end -= chunksPerDeletion)
    await chunks.deleteMany({ files_id, n: { $gte: Math.max(from, end - chunksPerDeletion), $lt: end } })
}

/** Lean queries return bytes in the driver's type: converts them to a Buffer. */
function toBuffer(data: Buffer | { buffer: Uint8Array }): Buffer {
  const bytes = Buffer.isBuffer(data) ? data : data.buffer
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function missingError(): AppError {
  return new AppError('not_found', 'The file of this recording is missing')
}
