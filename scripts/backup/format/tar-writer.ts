import { createHash } from 'node:crypto'

export interface TarEntry {
  path: string
  sizeBytes: number
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const blockBytes = 512
/** The largest size that fits in eleven octal digits. */
const maxOctal = 8 ** 11 - 1

/**
 * Writes a tar archive (POSIX.1-2001). Its last entry, `end.sha256`, holds the SHA-256 of every byte before it, so that `assertWhole`
 * detects a single changed bit anywhere.
 *
 * @throws Error where the content of an entry does not have the size that the entry states
 */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const entry of entries) {
    for await (const bytes of writeEntry(entry)) {
      hash.update(bytes)
      yield bytes
    }
  }
  yield endOf(hash.digest('hex'))
}

/**
 * Passes through a tar archive written by `writeTar`.
 *
 * @throws Error at its end, where any byte has changed or is missing
 */
export async function* assertWhole(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const passed = held.subarray(0, Math.max(0, held.length - endBytes))
    held = held.subarray(passed.length)
    hash.update(passed)
    yield passed
  }
  yield held
  if (!held.equals(endOf(hash.digest('hex')))) throw new Error('it has changed, or it ends too early')
}

/** Two blocks of `end.sha256` and the two empty ones that end a tar archive. */
const endBytes = 4 * blockBytes

function endOf(sha256: string): Buffer {
  const end = Buffer.alloc(endBytes)
  const content = Buffer.from(`${sha256}\n`)
  header('end.sha256', content.length, '0').copy(end)
  content.copy(end, blockBytes)
  return end
}

async function* writeEntry({ path, sizeBytes, content }: TarEntry): AsyncGenerator<Buffer> {
  const records = isShort(path) ? [] : [paxRecord('path', path)]
  if (sizeBytes > maxOctal) records.push(paxRecord('size', String(sizeBytes)))
  if (records.length > 0) {
    const pax = Buffer.from(records.join(''))
    yield Buffer.concat([header('pax', pax.length, 'x'), pax, padding(pax.length)])
  }
  yield header(isShort(path) ? path : 'long-name', Math.min(sizeBytes, maxOctal), '0')
  let written = 0
  for await (const bytes of content) {
    written += bytes.length
    if (written > sizeBytes) break
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }
  if (written !== sizeBytes) throw new Error(`${path} changed while it was read`)
  yield padding(sizeBytes)
}

function isShort(path: string): boolean {
  return path.length <= 100 && /^[\x21-\x7e]*$/.test(path)
}

/** `LENGTH KEY=VALUE\n`, where LENGTH counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = Buffer.byteLength(rest)
  while (Buffer.byteLength(`${length}${rest}`) !== length) length = Buffer.byteLength(`${length}${rest}`)
  return `${length}${rest}`
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)
}

function header(name: string, size: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(name, 0, 100, 'latin1')
  block.write('0000600\0', 100)
  block.write('0000000\0'.repeat(2), 108)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${'0'.repeat(11)}\0`, 136)
  block.write(' '.repeat(8), 148)
  block.write(`${type}`, 156)
  block.write('ustar\x0000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
