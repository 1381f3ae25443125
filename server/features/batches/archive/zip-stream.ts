import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ArchiveFile {
  name: string
  content: Buffer | string
}

/**
 * Returns a ZIP archive of files as a stream. A file is requested only once the previous one has been read, so only one is in memory at a
 * time, however slow the reader. Aborting the signal, or a failure of `files`, ends the stream.
 */
export function streamZip(files: AsyncIterable<ArchiveFile>, signal: AbortSignal): NodeJS.ReadableStream {
  const zip = new ZipFile()
  // A reader has its own error listener; once the reader has gone, there would be none.
  zip.outputStream.on('error', () => undefined)
  addFiles(zip, files, signal).catch((error: unknown) => zip.outputStream.emit('error', error))
  return zip.outputStream
}

async function addFiles(zip: ZipFile, files: AsyncIterable<ArchiveFile>, signal: AbortSignal): Promise<void> {
  for await (const { name, content } of files) {
    const input = Readable.from([typeof content === 'string' ? Buffer.from(content) : content], { objectMode: false })
    zip.addReadStream(input, name)
    await finished(input, { signal })
  }
  zip.end()
}
