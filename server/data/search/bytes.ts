/** A growing sequence of bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(256)
  length = 0

  /** Writes an integer from 0 to 2 ** 32 - 1 in 1 to 5 bytes, seven bits each, lowest first. */
  writeNumber(value: number): void {
    this.#reserve(5)
    let rest = value
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.length++] = rest
  }

  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Returns a copy of the bytes written. */
  toBytes(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.length))
  }

  clear(): void {
    this.length = 0
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count))
    larger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = larger
  }
}

/** Reads what a ByteWriter wrote. Reading past the end returns zeros. */
export class ByteReader {
  readonly bytes: Uint8Array
  at: number
  readonly end: number

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  readNumber(): number {
    let value = 0
    let shift = 0
    while (this.at < this.end) {
      const byte = this.bytes[this.at++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) break
      shift += 7
    }
    return value >>> 0
  }

  get isAtEnd(): boolean {
    return this.at >= this.end
  }
}
