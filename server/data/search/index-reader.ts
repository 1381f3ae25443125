import type { DatabaseConnection } from '../connect.ts'
import { createTimeSlices } from '../time-slices.ts'
import { decodeFirstWords, findBlocks, findInBlock, readBlock } from './blocks.ts'
import { soundPrefix } from './build-segment.ts'
import { createNameList, type IndexedName } from './listed-names.ts'
import { readPostings, type Occurrences } from './postings.ts'
import { createBlockCache } from './block-cache.ts'
import { blockId, firstWordsId, readIndex, type SearchIndex, type Segment } from './segments.ts'

/** The occurrences of a word, or of all words with one beginning, by the ordinal of their recording. */
export type WordOccurrences = Map<number, Occurrences[]>

/** A word of the index, or the beginning of words. */
export interface WantedWord {
  word: string
  isPrefix: boolean
  /** The ids of segments that are known not to have the word. */
  missingIn?: ReadonlySet<string>
}

export interface IndexReader {
  /**
   * Returns the occurrences of each word in an owner's index.
   *
   * @param options.maxBytes throws a TooManyBlocksError where more had to be read
   */
  readWords(ownerId: string, words: WantedWord[], options: { maxBytes: number }): Promise<WordOccurrences[]>
  /** Returns what may be a name in an owner's index and has one of these keys of sound (see searchKeys). */
  listNames(ownerId: string, keys: string[], options: { maxBytes: number }): Promise<IndexedName[]>
  /** Returns the words that begin with a text, with the bytes of their occurrences; as far as `maxBytes` of blocks go. */
  listWords(ownerId: string, prefix: string, options: { maxBytes: number }): Promise<Map<string, number>>
}

export class TooManyBlocksError extends Error {}

/** After the highest UTF-16 unit: no word begins with it. */
const lastUnit = '\uffff'
/** A merge may remove a segment between two reads of a search. */
const maxAttempts = 3
const blocksPerRead = 64

/** Creates what reads search indexes; the blocks that were read last stay in memory, because blocks never change. */
export function createIndexReader(connection: DatabaseConnection): IndexReader {
  const indexes = new Map<string, SearchIndex>()
  const blocks = createBlockCache(connection)

  async function currentIndex(ownerId: string): Promise<SearchIndex | undefined> {
    const known = indexes.get(ownerId)
    const newer = await readIndex(connection, ownerId, known?.version)
    if (!newer) return known
    indexes.delete(ownerId)
    indexes.set(ownerId, newer)
    for (const oldest of indexes.keys()) if (indexes.size > 200) indexes.delete(oldest)
    return newer
  }

  async function readWords(ownerId: string, words: WantedWord[], { maxBytes }: { maxBytes: number }) {
    for (let attempt = 1; ; attempt++) {
      const index = await currentIndex(ownerId)
      if (!index) return words.map(() => new Map())
      const found = await tryReadWords(ownerId, index, words, maxBytes)
      if (found) return found
      indexes.delete(ownerId)
      if (attempt === maxAttempts) throw new Error('The search index changes all the time')
    }
  }

  /** Returns undefined where a block is gone. */
  async function tryReadWords(
    ownerId: string,
    { segments }: SearchIndex,
    words: WantedWord[],
    maxBytes: number,
  ): Promise<WordOccurrences[] | undefined> {
    const lists = await blocks.readAll(ownerId, listsOf(segments))
    if (!lists) return undefined
    const plans = words.map((wanted) => planReads(segments, lists, wanted))
    if (plans.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) throw new TooManyBlocksError()
    return readPlans(
      ownerId,
      words,
      plans.map(({ ids }) => ids),
    )
  }

  async function listWords(ownerId: string, prefix: string, { maxBytes }: { maxBytes: number }) {
    const words = new Map<string, number>()
    const pause = createTimeSlices()
    const { segments = [] } = (await currentIndex(ownerId)) ?? {}
    const lists = await blocks.readAll(ownerId, listsOf(segments))
    const { ids, bytes } = planReads(segments, lists ?? new Map(), { word: prefix, isPrefix: true })
    const affordable = ids.slice(0, Math.floor(ids.length * Math.min(1, maxBytes / Math.max(1, bytes))))
    for (let start = 0; start < affordable.length; start += blocksPerRead) {
      // Where a block has gone in the meantime, fewer words are listed.
      const read = await blocks.readAll(ownerId, affordable.slice(start, start + blocksPerRead))
      for (const block of read?.values() ?? []) {
        for (const { word, from, to } of readBlock(block)) {
          if (word.startsWith(prefix)) words.set(word, (words.get(word) ?? 0) + to - from)
        }
        await pause()
      }
    }
    return words
  }

  async function listNames(ownerId: string, keys: string[], { maxBytes }: { maxBytes: number }) {
    const { segments = [] } = (await currentIndex(ownerId)) ?? {}
    const lists = (await blocks.readAll(ownerId, listsOf(segments))) ?? new Map<string, Uint8Array>()
    const names = createNameList()
    const pause = createTimeSlices()
    let left = maxBytes
    for (const prefix of keys.map(soundPrefix)) {
      const { ids, bytes } = planReads(segments, lists, { word: prefix, isPrefix: true })
      left -= bytes
      const read = left < 0 ? undefined : await blocks.readAll(ownerId, ids)
      // Too much to read, or a block has gone in the meantime: fewer names are listed.
      if (!read) return names.toNames([])
      for (const [id, block] of read) {
        names.addBlock(id, block, prefix)
        await pause()
      }
    }
    return names.toNames(segments.map(({ id }) => id))
  }

  async function readPlans(ownerId: string, words: WantedWord[], plans: string[][]) {
    const results: WordOccurrences[] = []
    const pause = createTimeSlices()
    for (const [index, ids] of plans.entries()) {
      const { word = '', isPrefix = false } = words[index] ?? {}
      const wanted = Buffer.from(word)
      const found: WordOccurrences = new Map()
      for (let start = 0; start < ids.length; start += blocksPerRead) {
        const read = await blocks.readAll(ownerId, ids.slice(start, start + blocksPerRead))
        if (!read) return undefined
        for (const bytes of read.values()) {
          for (const entry of findInBlock(bytes, wanted, { isPrefix })) addPostings(found, entry)
          await pause()
        }
      }
      results.push(found)
    }
    return results
  }

  return { readWords, listNames, listWords }
}

/** Returns the blocks that list the first words of other blocks. */
function listsOf(segments: Segment[]): string[] {
  return segments.filter(({ blockCount }) => blockCount > 1).map(({ id }) => firstWordsId(id))
}

/** Returns the blocks that may have a word, and about how many bytes they are. */
function planReads(
  segments: Segment[],
  lists: ReadonlyMap<string, Uint8Array>,
  { word, isPrefix, missingIn }: WantedWord,
) {
  let bytes = 0
  const ids = segments.flatMap(({ id, blockCount, sizeBytes }) => {
    if (missingIn?.has(id)) return []
    const firstWords = lists.get(firstWordsId(id))
    const { from, to } = firstWords
      ? findBlocks(decodeCached(firstWords), word, isPrefix ? word + lastUnit : word)
      : { from: 0, to: blockCount }
    bytes += (sizeBytes / Math.max(1, blockCount)) * (to - from)
    return Array.from({ length: to - from }, (_, number) => blockId(id, from + number))
  })
  return { ids, bytes }
}

const decoded = new WeakMap<Uint8Array, string[]>()

function decodeCached(firstWords: Uint8Array): string[] {
  let words = decoded.get(firstWords)
  if (!words) {
    words = decodeFirstWords(firstWords)
    decoded.set(firstWords, words)
  }
  return words
}

function addPostings(found: WordOccurrences, entry: Occurrences): void {
  for (const { ordinal, bytes, from, to } of readPostings(entry)) {
    const occurrences = found.get(ordinal)
    if (occurrences) occurrences.push({ bytes, from, to })
    else found.set(ordinal, [{ bytes, from, to }])
  }
}
