import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Writes a ZIP archive of `files`, by their names in the archive. Compressed unless `isStored`. */
export async function writeZip(
  archive: string,
  files: Record<string, string>,
  { isStored = false }: { isStored?: boolean } = {},
): Promise<void> {
  const zip = new ZipFile()
  for (const [name, path] of Object.entries(files)) zip.addFile(path, name, { compress: !isStored })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(archive))
}
