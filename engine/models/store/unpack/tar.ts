import { PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import type { ExtractFile } from './extract-file.ts'

const blockBytes = 512
const maxHeaderBytes = 1024 * 1024

/** Reads a tar archive (POSIX.1-2001, with GNU's long names) from start to end, extracts regular files and skips everything else. */
export async function readTar(source: Readable, extractFile: ExtractFile): Promise<void> {
  const reader = createReader(source)
  let longName: string | undefined
  let pax = new Map<string, string>()
  for (;;) {
    const header = await reader.read(blockBytes)
    if (header.every((byte) => byte === 0)) return drain(reader)
    if (header.length < blockBytes) throw new Error('it ends inside a header')
    assertChecksum(header)
    const size = Number(pax.get('size') ?? readNumber(header, 124, 12))
    const type = String.fromCharCode(header[156] ?? 0)
    const isHeader = ['x', 'g', 'L', 'K'].includes(type)
    if (isHeader && size > maxHeaderBytes) throw new Error('it has a header that is too long')
    if (type === 'x') pax = readPax(await reader.read(size))
    else if (type === 'L') longName = readText(await reader.read(size))
    else if (type === '0' || type === '\0')
      await readEntry(reader, { name: nameOf(header, longName, pax), size, extractFile })
    else await reader.skip(size)
    await reader.skip((blockBytes - (size % blockBytes)) % blockBytes)
    if (isHeader) continue
    longName = undefined
    pax = new Map()
  }
}

async function readEntry(
  reader: Reader,
  { name, size, extractFile }: { name: string; size: number; extractFile: ExtractFile },
): Promise<void> {
  const content = new PassThrough()
  // There may be no listener yet, or no longer, and an unhandled stream error would end this process.
  content.on('error', () => undefined)
  const pump = reader.pipe(size, content).catch((error: unknown) => {
    content.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  })
  await Promise.all([pump, extractFile(name, content)])
}

function nameOf(header: Buffer, longName: string | undefined, pax: Map<string, string>): string {
  const prefix = readText(header.subarray(345, 500))
  const short = readText(header.subarray(0, 100))
  return pax.get('path') ?? longName ?? (prefix ? `${prefix}/${short}` : short)
}

function readText(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

/** Reads octal digits, or a binary number if the first bit is set (GNU, for sizes of 8 GB and more). */
function readNumber(header: Buffer, at: number, length: number): number {
  if ((header[at] ?? 0) & 0x80) return Number(header.readBigUInt64BE(at + length - 8))
  const number = Number.parseInt(readText(header.subarray(at, at + length)).trim() || '0', 8)
  if (!Number.isSafeInteger(number) || number < 0) throw new Error('it has a damaged header')
  return number
}

/** Rejects garbage, in which sizes would be arbitrary. */
function assertChecksum(header: Buffer): void {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0)
  if (sum !== readNumber(header, 148, 8)) throw new Error('it has a damaged header')
}

/** Parses records of the form `LENGTH KEY=VALUE\n`. */
function readPax(bytes: Buffer): Map<string, string> {
  const values = new Map<string, string>()
  for (let at = 0; at < bytes.length;) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 20), 10)
    if (!(length > 0)) break
    const [, key = '', value = ''] = /^\d+ ([^=]+)=([^]*)\n$/u.exec(bytes.toString('utf8', at, at + length)) ?? []
    values.set(key, value)
    at += length
  }
  return values
}

interface Reader {
  /** Returns fewer bytes only at the end. */
  read(bytes: number): Promise<Buffer>
  skip(bytes: number): Promise<void>
  pipe(bytes: number, into: PassThrough): Promise<void>
  isAtEnd(): Promise<boolean>
}

function createReader(source: Readable): Reader {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer> // a stream of bytes
  let rest = Buffer.alloc(0)

  async function isAtEnd(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await chunks.next()
      if (next.done) return true
      rest = Buffer.from(next.value)
    }
    return false
  }

  /** Returns at least one and at most `bytes` bytes. */
  async function readSome(bytes: number): Promise<Buffer> {
    if (await isAtEnd()) throw new Error('it ends inside a file')
    const piece = rest.subarray(0, bytes)
    rest = rest.subarray(piece.length)
    return piece
  }

  return {
    isAtEnd,
    async read(bytes) {
      const pieces: Buffer[] = []
      let left = bytes
      while (left > 0 && !(await isAtEnd())) {
        const piece = await readSome(left)
        pieces.push(piece)
        left -= piece.length
      }
      return Buffer.concat(pieces)
    },
    async skip(bytes) {
      for (let left = bytes; left > 0;) left -= (await readSome(left)).length
    },
    async pipe(bytes, into) {
      for (let left = bytes; left > 0;) {
        const piece = await readSome(left)
        left -= piece.length
        if (!into.write(piece)) await drained(into)
      }
      into.end()
    },
  }
}

function drained(stream: PassThrough): Promise<void> {
  return new Promise((resolve, reject) => {
    const onDrain = () => {
      stream.off('close', onClose)
      resolve()
    }
    const onClose = () => {
      stream.off('drain', onDrain)
      reject(new Error('it was not read to its end'))
    }
    stream.once('drain', onDrain)
    stream.once('close', onClose)
  })
}

async function drain(reader: Reader): Promise<void> {
  while (!(await reader.isAtEnd())) await reader.read(1024 * 1024)
}
