import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { getFileNameLowLevel, openPromise, type Entry } from 'yauzl'
import type { ExtractFile } from './extract-file.ts'

/** Reads a ZIP archive by its central directory and extracts its regular files, each checked against its size and CRC-32. */
export async function readZip(path: string, extractFile: ExtractFile): Promise<void> {
  // yauzl would also reject names that lead out of the folder, but only `extractFile` says which name.
  const zip = await openPromise(path, { decodeStrings: false, autoClose: false })
  try {
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry)
      if (name.endsWith('/') || !isRegularFile(entry)) continue
      if (entry.isEncrypted()) throw new Error(`${name} is encrypted`)
      const content = await zip.openReadStreamPromise(entry)
      const check = createCheck(name, entry.crc32)
      // Otherwise a stream that is not read to its end stays open.
      await Promise.all([pipeline(content, check), extractFile(name, check)]).finally(() => check.destroy())
    }
  } finally {
    zip.close()
  }
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)
}

/** The upper half of the attributes is a Unix mode, or 0 if there is none: links and devices are skipped. */
function isRegularFile({ externalFileAttributes }: Entry): boolean {
  const type = externalFileAttributes >>> 28
  return type === 0 || type === 8
}

/** Passes a file through and fails at its end if its content has changed; yauzl checks its size. */
function createCheck(name: string, expected: number): Transform {
  let sum = 0
  return new Transform({
    transform(chunk: Buffer, _, callback) {
      sum = crc32(chunk, sum)
      callback(null, chunk)
    },
    flush: (callback) => callback(sum === expected ? null : new Error(`${name} is damaged`)),
  })
}
