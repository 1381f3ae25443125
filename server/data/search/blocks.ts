import { ByteReader, ByteWriter } from './bytes.ts'
import { writePostings, type Occurrences, type Posting } from './postings.ts'

/** A word in a block, with the location of its postings. */
export interface IndexBlockEntry extends Occurrences {
  word: string
}

/** A block's bytes, with the first word in it. */
export interface IndexBlock {
  firstWord: string
  bytes: Buffer
}

/** Postings of a word beyond this size are split into several entries, so that no block grows without limit. */
const maxEntryBytes = 32 * 1024

/**
 * Writes words with their postings into blocks of about `targetBytes`. Words come in ascending order of UTF-16 units; for each, only the
 * difference from the previous word is stored.
 */
export class IndexBlockWriter {
  readonly #targetBytes: number
  readonly #writer = new ByteWriter()
  readonly #postings = new ByteWriter()
  #firstWord = ''
  #lastWord = Buffer.alloc(0)
  /** Complete blocks that have not been taken yet. */
  blocks: IndexBlock[] = []

  constructor(targetBytes: number) {
    this.#targetBytes = targetBytes
  }

  /** Adds the next word; it may have no postings. */
  add(word: string, postings: Posting[]): void {
    if (postings.length === 0) this.#addEntry(word, Buffer.alloc(0))
    for (const part of splitPostings(postings)) {
      this.#postings.clear()
      writePostings(this.#postings, part)
      this.#addEntry(word, this.#postings.toBytes())
    }
  }

  /** Ends the last block. */
  finish(): void {
    if (this.#writer.length === 0) return
    this.blocks.push({ firstWord: this.#firstWord, bytes: this.#writer.toBytes() })
    this.#writer.clear()
    this.#lastWord = Buffer.alloc(0)
  }

  #addEntry(word: string, postings: Buffer): void {
    if (this.#writer.length > 0 && this.#writer.length + postings.length > this.#targetBytes) this.finish()
    if (this.#writer.length === 0) this.#firstWord = word
    const bytes = Buffer.from(word)
    const shared = countShared(this.#lastWord, bytes)
    this.#writer.writeNumber(shared)
    this.#writer.writeNumber(bytes.length - shared)
    this.#writer.writeBytes(bytes.subarray(shared))
    this.#writer.writeNumber(postings.length)
    this.#writer.writeBytes(postings)
    this.#lastWord = bytes
  }
}

function splitPostings(postings: Posting[]): Posting[][] {
  const parts: Posting[][] = []
  let size = 0
  for (const posting of postings) {
    // A posting without occurrences still takes space for its ordinal.
    const length = posting.to - posting.from + 1
    if (parts.length === 0 || size + length > maxEntryBytes) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(posting)
    size += length
  }
  return parts
}

function countShared(a: Buffer, b: Buffer): number {
  const max = Math.min(a.length, b.length)
  let shared = 0
  while (shared < max && a[shared] === b[shared]) shared += 1
  return shared
}

/** Returns the words of a block, in ascending order. */
export function* readBlock(bytes: Uint8Array): Generator<IndexBlockEntry, void, undefined> {
  const reader = new ByteReader(bytes)
  let last = Buffer.alloc(0)
  while (!reader.isAtEnd) {
    const shared = reader.readNumber()
    const length = reader.readNumber()
    const own = bytes.subarray(reader.at, reader.at + length)
    last = Buffer.concat([last.subarray(0, shared), own])
    reader.at += length
    const postings = reader.readNumber()
    yield { word: last.toString(), bytes, from: reader.at, to: reader.at + postings }
    reader.at += postings
  }
}

/** Returns the first words of a segment's blocks in their stored form. */
export function encodeFirstWords(words: string[]): Buffer {
  const writer = new ByteWriter()
  for (const word of words) {
    const bytes = Buffer.from(word)
    writer.writeNumber(bytes.length)
    writer.writeBytes(bytes)
  }
  return writer.toBytes()
}

export function decodeFirstWords(bytes: Uint8Array): string[] {
  const reader = new ByteReader(bytes)
  const words: string[] = []
  while (!reader.isAtEnd) {
    const length = reader.readNumber()
    words.push(Buffer.from(bytes.subarray(reader.at, reader.at + length)).toString())
    reader.at += length
  }
  return words
}

/** Returns which blocks may contain words from `first` to `last`, both included, as a range that excludes its end. */
export function findBlocks(firstWords: string[], first: string, last: string): { from: number; to: number } {
  // The postings of one word may fill several blocks: blocks that begin with it follow the block it may begin in.
  const from = Math.max(0, lowerBound(firstWords, first) - 1)
  return { from, to: upperBound(firstWords, last) }
}

function lowerBound(words: string[], word: string): number {
  return bound(words.length, (index) => (words[index] ?? '') < word)
}

function upperBound(words: string[], word: string): number {
  return bound(words.length, (index) => (words[index] ?? '') <= word)
}

/** Returns the first index for which `isBefore` does not hold. */
function bound(length: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the words of a block that begin with the given bytes. */
export function listInBlock(bytes: Uint8Array, beginning: Uint8Array): IndexBlockEntry[] {
  // Holds the bytes of the previous word, then of the next, because a search reads thousands of words.
  let word = Buffer.alloc(256)
  word.set(beginning)
  return scanBlock(bytes, beginning, { isPrefix: true }).map(({ from, to, shared, ownFrom, ownTo }) => {
    const length = shared + ownTo - ownFrom
    if (length > word.length) word = Buffer.concat([word], 2 * length)
    word.set(bytes.subarray(ownFrom, ownTo), shared)
    return { word: word.toString('utf8', 0, length), bytes, from, to }
  })
}

/** Returns where in a block the postings of a word are, or those of all words that begin with it. */
export function findInBlock(bytes: Uint8Array, wanted: Uint8Array, options: { isPrefix: boolean }): Occurrences[] {
  return scanBlock(bytes, wanted, options).map(({ from, to }) => ({ bytes, from, to }))
}

interface ScannedEntry extends Occurrences {
  /** How many bytes the word shares with the previous one. */
  shared: number
  /** The location of its other bytes. */
  ownFrom: number
  ownTo: number
}

/** Scans a block, comparing words only where they differ from the previous one, without decoding them. */
function scanBlock(bytes: Uint8Array, wanted: Uint8Array, { isPrefix }: { isPrefix: boolean }): ScannedEntry[] {
  const reader = new ByteReader(bytes)
  const found: ScannedEntry[] = []
  let matched = 0
  while (!reader.isAtEnd) {
    const shared = reader.readNumber()
    const length = reader.readNumber()
    const ownFrom = reader.at
    if (shared <= matched) {
      matched = shared
      const end = Math.min(length, wanted.length - shared)
      while (matched - shared < end && bytes[ownFrom + matched - shared] === wanted[matched]) matched += 1
    }
    reader.at += length
    const postings = reader.readNumber()
    const from = reader.at
    reader.at += postings
    const isFound = matched === wanted.length && (isPrefix || shared + length === wanted.length)
    if (isFound) found.push({ bytes, from, to: reader.at, shared, ownFrom, ownTo: ownFrom + length })
    else if (found.length > 0) break
  }
  return found
}
