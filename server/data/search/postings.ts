import { ByteReader, ByteWriter } from './bytes.ts'

/** Words at later positions in their line take extra bytes. */
const maxShortPosition = 31

/** Where a word occurs in one recording: pairs of line and position in the line, in ascending order. */
export class OccurrenceWriter {
  readonly #writer = new ByteWriter()
  #line = 0

  add(line: number, position: number): void {
    const short = Math.min(position, maxShortPosition)
    this.#writer.writeNumber(((line - this.#line) << 5) | short)
    if (short === maxShortPosition) this.#writer.writeNumber(position - maxShortPosition)
    this.#line = line
  }

  toBytes(): Buffer {
    return this.#writer.toBytes()
  }
}

/** The occurrences of one word in one recording, as OccurrenceWriter wrote them. */
export interface Occurrences {
  bytes: Uint8Array
  from: number
  to: number
}

/** Calls `use` for each occurrence in order. */
export function forEachOccurrence(
  { bytes, from, to }: Occurrences,
  use: (line: number, position: number) => void,
): void {
  const reader = new ByteReader(bytes, from, to)
  let line = 0
  while (!reader.isAtEnd) {
    const value = reader.readNumber()
    line += value >>> 5
    const short = value & maxShortPosition
    use(line, short === maxShortPosition ? short + reader.readNumber() : short)
  }
}

/** Returns the lines of the occurrences, in ascending order without duplicates. */
export function readLines(occurrences: Occurrences): number[] {
  const lines: number[] = []
  forEachOccurrence(occurrences, (line) => {
    if (lines.at(-1) !== line) lines.push(line)
  })
  return lines
}

/** A word's occurrences in a recording of this ordinal. */
export interface Posting extends Occurrences {
  ordinal: number
}

/** Marks the postings of a word without occurrences, which store only ordinals: no ordinal is 0. */
const ordinalsOnly = 0

/** Appends the postings of a word, in ascending order of their ordinals. */
export function writePostings(writer: ByteWriter, postings: Posting[]): void {
  let previous = 0
  if (postings.every(({ from, to }) => from === to)) {
    writer.writeNumber(ordinalsOnly)
    for (const { ordinal } of postings) {
      writer.writeNumber(ordinal - previous)
      previous = ordinal
    }
    return
  }
  for (const { ordinal, bytes, from, to } of postings) {
    writer.writeNumber(ordinal - previous)
    writer.writeNumber(to - from)
    writer.writeBytes(bytes.subarray(from, to))
    previous = ordinal
  }
}

/** Returns the postings between two offsets of a block. Occurrences are not decoded, so this is cheap. */
export function readPostings({ bytes, from, to }: Occurrences): Posting[] {
  const reader = new ByteReader(bytes, from, to)
  const postings: Posting[] = []
  let ordinal = 0
  if (bytes[from] === ordinalsOnly) {
    reader.readNumber()
    while (!reader.isAtEnd) {
      ordinal += reader.readNumber()
      postings.push({ ordinal, bytes, from: reader.at, to: reader.at })
    }
    return postings
  }
  while (!reader.isAtEnd) {
    ordinal += reader.readNumber()
    const length = reader.readNumber()
    postings.push({ ordinal, bytes, from: reader.at, to: reader.at + length })
    reader.at += length
  }
  return postings
}
