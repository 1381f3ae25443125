import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { ExtractFile } from './extract-file.ts'

interface ZipEntry {
  name: string
  method: number
  crc: number
  packedBytes: number
  bytes: number
  headerAt: number
}

const endBytes = 22
const maxCommentBytes = 65_535
const maxDirectoryBytes = 64 * 1024 * 1024
const stored = 0
const deflated = 8

/** Reads a ZIP archive (APPNOTE.TXT 6.3, with ZIP64) by its directory, and extracts its files, each checked against its size and CRC-32. */
export async function readZip(path: string, extractFile: ExtractFile): Promise<void> {
  const file = await open(path)
  try {
    for (const entry of await readDirectory(file)) {
      if (!entry.name.endsWith('/')) await readEntry(file, path, entry, extractFile)
    }
  } finally {
    await file.close()
  }
}

async function readDirectory(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat()
  const tail = await readAt(file, Math.max(0, size - endBytes - maxCommentBytes), endBytes + maxCommentBytes)
  const at = tail.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  if (at === -1 || at + endBytes > tail.length) throw new Error('it has no directory')
  let bytes = tail.readUInt32LE(at + 12)
  let start = tail.readUInt32LE(at + 16)
  const locator = at - 20
  if (locator >= 0 && tail.readUInt32LE(locator) === 0x07064b50) {
    const end = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56)
    bytes = Number(end.readBigUInt64LE(40))
    start = Number(end.readBigUInt64LE(48))
  }
  if (bytes > maxDirectoryBytes || start + bytes > size) throw new Error('its directory is damaged')
  return parseDirectory(await readAt(file, start, bytes))
}

function parseDirectory(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = []
  for (let at = 0; at < directory.length;) {
    if (directory.readUInt32LE(at) !== 0x02014b50) throw new Error('its directory is damaged')
    if (directory.readUInt16LE(at + 8) & 1) throw new Error('it is encrypted')
    const nameBytes = directory.readUInt16LE(at + 28)
    const extraBytes = directory.readUInt16LE(at + 30)
    const extraAt = at + 46 + nameBytes
    const large = readZip64(directory.subarray(extraAt, extraAt + extraBytes))
    const wide = (value: number) => (value === 0xffffffff ? Number(large.shift() ?? 0) : value)
    const bytes = wide(directory.readUInt32LE(at + 24))
    const packedBytes = wide(directory.readUInt32LE(at + 20))
    const headerAt = wide(directory.readUInt32LE(at + 42))
    // The upper half of the attributes is a Unix mode: links and devices are skipped.
    const type = (directory.readUInt32LE(at + 38) >>> 28) & 0xf
    const name = directory.toString('utf8', at + 46, extraAt)
    const common = { method: directory.readUInt16LE(at + 10), crc: directory.readUInt32LE(at + 16) }
    if (type === 0 || type === 8) entries.push({ name, ...common, packedBytes, bytes, headerAt })
    at = extraAt + extraBytes + directory.readUInt16LE(at + 32)
  }
  return entries
}

/** Returns the numbers of the ZIP64 extra field (id 1), one for each field of the header that has its maximum value. */
function readZip64(extra: Buffer): bigint[] {
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1) {
      const count = Math.floor(Math.min(length, extra.length - at - 4) / 8)
      return Array.from({ length: count }, (_, index) => extra.readBigUInt64LE(at + 4 + index * 8))
    }
    at += 4 + length
  }
  return []
}

async function readEntry(file: FileHandle, path: string, entry: ZipEntry, extractFile: ExtractFile): Promise<void> {
  const { name, method, headerAt, packedBytes } = entry
  const header = await readAt(file, headerAt, 30)
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw new Error(`${name} is damaged`)
  if (method !== stored && method !== deflated) throw new Error(`${name} is packed in a way that is not known`)
  const start = headerAt + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const packed = packedBytes === 0 ? Readable.from([]) : createReadStream(path, { start, end: start + packedBytes - 1 })
  const check = createCheck(entry)
  const steps = method === deflated && packedBytes > 0 ? [packed, createInflateRaw(), check] : [packed, check]
  // A stream that is not read to its end stays open otherwise.
  await Promise.all([pipeline(steps), extractFile(name, check)]).finally(() => check.destroy())
}

function createCheck({ name, bytes, crc }: ZipEntry): Transform {
  let seen = 0
  let sum = 0
  return new Transform({
    transform(chunk: Buffer, _, callback) {
      seen += chunk.length
      sum = crc32(chunk, sum)
      if (seen > bytes) callback(new Error(`${name} is longer than the archive says`))
      else callback(null, chunk)
    },
    flush(callback) {
      callback(seen === bytes && sum === crc ? null : new Error(`${name} is damaged`))
    },
  })
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}
