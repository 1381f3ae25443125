import { BSONRegExp, Binary, Double, MaxKey, MinKey, ObjectId, Timestamp, serialize } from 'bson'
import { CommandError, unsupported } from '../errors.ts'
import { isInt32, setField, type Document } from './values.ts'

const maxDepth = 180

/** Maximum size of a stored document, as in MongoDB. */
export const maxDocumentBytes = 16 * 1024 * 1024
/** Maximum size of a reply around such a document, as in MongoDB. */
const maxEncodedBytes = maxDocumentBytes + 16 * 1024

/** Encodes a document, omitting undefined fields. @throws BSONObjectTooLarge beyond maxEncodedBytes. */
export function encode(document: Document): Uint8Array {
  try {
    const bytes = serialize(document, { ignoreUndefined: true })
    // bson silently writes nothing beyond its buffer.
    if (bytes.length <= maxEncodedBytes) return bytes
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new CommandError('BSONObjectTooLarge', `BSONObj is larger than ${maxDocumentBytes} bytes`)
}

/**
 * Decodes a document and keeps its number types (see Document). Written by hand, because bson's reader either loses Double(5) or wraps
 * every number. Types that no driver here sends (Decimal128, code, symbols, pointers) are refused.
 */
export function decode(bytes: Uint8Array): Document {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return new Reader(buffer).document(0)
  } catch (error) {
    if (error instanceof RangeError) throw new CommandError('InvalidLength', 'a BSON document is cut off')
    throw error
  }
}

/** A power of two. */
const nameSlots = 1024
const maxKeptName = 64
/** Field names by hash. Documents repeat a few names, and looking up a cached string is faster than decoding it again. */
const recentNames: (string | undefined)[] = Array.from({ length: nameSlots }, () => undefined)

class Reader {
  readonly #buffer: Buffer
  #at = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  document(depth: number): Document {
    const target: Document = {}
    const end = this.#open(depth)
    while (this.#at < end) {
      const type = this.#byte()
      const key = this.#cstring()
      setField(target, key, this.#value(type, depth))
    }
    this.#at++
    return target
  }

  #array(depth: number): unknown[] {
    const target: unknown[] = []
    const end = this.#open(depth)
    while (this.#at < end) {
      const type = this.#byte()
      // Skip the array index as text, which is not needed.
      while (this.#byte() !== 0);
      target.push(this.#value(type, depth))
    }
    this.#at++
    return target
  }

  /** Reads the length and returns the position of the closing zero byte. */
  #open(depth: number): number {
    if (depth > maxDepth) throw new CommandError('Overflow', `BSON nested deeper than ${maxDepth} levels`)
    const start = this.#at
    const end = start + this.#int32() - 1
    if (end < this.#at || end >= this.#buffer.length || this.#buffer[end] !== 0) {
      throw new CommandError('InvalidLength', 'a BSON document has a wrong length')
    }
    return end
  }

  #value(type: number, depth: number): unknown {
    switch (type) {
      case 0x01:
        return this.#double()
      case 0x02:
        return this.#string()
      case 0x03:
        return this.document(depth + 1)
      case 0x04:
        return this.#array(depth + 1)
      case 0x05:
        return this.#binary()
      case 0x07:
        return new ObjectId(this.#take(12))
      case 0x08:
        return this.#byte() === 1
      case 0x09:
        return new Date(Number(this.#int64()))
      case 0x0a:
        return null
      case 0x10:
        return this.#int32()
      case 0x12:
        return this.#int64()
      default:
        return this.#rareValue(type)
    }
  }

  #rareValue(type: number): unknown {
    switch (type) {
      case 0x0b:
        return new BSONRegExp(this.#cstring(), this.#cstring())
      case 0x11:
        return new Timestamp(BigInt.asUintN(64, this.#int64()))
      case 0x7f:
        return new MaxKey()
      case 0xff:
        return new MinKey()
      default:
        throw unsupported(`the BSON type 0x${type.toString(16).padStart(2, '0')}`)
    }
  }

  #byte(): number {
    return this.#buffer.readUInt8(this.#at++)
  }

  #int32(): number {
    this.#at += 4
    return this.#buffer.readInt32LE(this.#at - 4)
  }

  #int64(): bigint {
    this.#at += 8
    return this.#buffer.readBigInt64LE(this.#at - 8)
  }

  #double(): number | Double {
    this.#at += 8
    const value = this.#buffer.readDoubleLE(this.#at - 8)
    return isInt32(value) ? new Double(value) : value
  }

  #take(length: number): Buffer {
    const start = this.#at
    this.#at += length
    if (length < 0 || this.#at > this.#buffer.length) throw new CommandError('InvalidLength', 'a BSON value is cut off')
    return Buffer.from(this.#buffer.subarray(start, this.#at))
  }

  #string(): string {
    const length = this.#int32()
    const start = this.#at
    this.#at += length
    if (length < 1 || this.#at > this.#buffer.length)
      throw new CommandError('InvalidLength', 'a BSON string is cut off')
    return this.#buffer.toString('utf8', start, this.#at - 1)
  }

  #cstring(): string {
    const start = this.#at
    let end = start
    let hash = 0
    for (let byte = this.#buffer[end]; byte !== 0; byte = this.#buffer[++end]) {
      if (byte === undefined) throw new CommandError('InvalidLength', 'a BSON name is cut off')
      hash = (hash * 31 + byte) | 0
    }
    this.#at = end + 1
    const slot = hash & (nameSlots - 1)
    const known = recentNames[slot]
    if (known !== undefined && this.#equals(known, start, end)) return known
    const name = this.#buffer.toString('utf8', start, end)
    if (name.length <= maxKeptName) recentNames[slot] = name
    return name
  }

  /** Returns whether bytes equal a text of ASCII characters. */
  #equals(text: string, start: number, end: number): boolean {
    if (text.length !== end - start) return false
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== this.#buffer[start + i]) return false
    return true
  }

  #binary(): Binary {
    const length = this.#int32()
    const subType = this.#byte()
    return new Binary(this.#take(length), subType)
  }
}
