import type { DatabaseConnection } from '../connect.ts'
import { createTimeSlices } from '../time-slices.ts'
import { createBlockCache, type BlockCache } from './block-cache.ts'
import { findInBlock, readBlock } from './blocks.ts'
import { soundPrefix } from './build-segment.ts'
import { createNameCollector, type NameList } from './listed-names.ts'
import { listFirstWordsIds, planReads, type ReadPlan, type WantedWord } from './plan-reads.ts'
import { readPostings, type Occurrences } from './postings.ts'
import { readIndex, type SearchIndex } from './segments.ts'

/** The occurrences of a word, or of all words with a prefix, by the ordinal of their recording. */
export type WordOccurrences = Map<number, Occurrences[]>

/** An owner's index at one point in time: later additions are not in it. */
export interface OpenIndex {
  /**
   * Returns the occurrences of each word.
   *
   * @param options.maxBytes throws a TooManyBlocksError if more would have to be read
   */
  readWords(words: WantedWord[], options: { maxBytes: number }): Promise<WordOccurrences[]>
  /** Returns, for each list of sound keys (see searchKeys), the possible names with one of them, reading at most `maxBytes` of blocks. */
  listNames(keys: string[][], options: { maxBytes: number }): Promise<NameList[]>
  /** Returns the words that begin with a text, with the bytes of their occurrences, reading at most `maxBytes` of blocks. */
  listWords(prefix: string, options: { maxBytes: number }): Promise<Map<string, number>>
}

export class TooManyBlocksError extends Error {}

/** Retries, because a merge may remove a segment between two reads of a search. */
const maxAttempts = 3
const blocksPerRead = 64

/** Creates a reader of search indexes; the most recently read blocks stay in memory, as blocks never change. */
export function createIndexReader(connection: DatabaseConnection) {
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

  async function open(ownerId: string): Promise<OpenIndex> {
    const options = { blocks, ownerId, index: await currentIndex(ownerId) }
    const readAgain = () => {
      indexes.delete(ownerId)
      return currentIndex(ownerId)
    }
    return {
      readWords: (words, { maxBytes }) => readWords(options, words, { maxBytes, readAgain }),
      listNames: (keys, { maxBytes }) => listNames(options, keys, maxBytes),
      listWords: (prefix, { maxBytes }) => listWords(options, prefix, maxBytes),
    }
  }

  return { open }
}

interface IndexToRead {
  blocks: BlockCache
  ownerId: string
  /** Undefined while the owner has no index. */
  index: SearchIndex | undefined
}

async function readWords(
  toRead: IndexToRead,
  words: WantedWord[],
  { maxBytes, readAgain }: { maxBytes: number; readAgain: () => Promise<SearchIndex | undefined> },
): Promise<WordOccurrences[]> {
  let { index } = toRead
  for (let attempt = 1; ; attempt++) {
    if (!index) return words.map(() => new Map())
    const found = await tryReadWords({ ...toRead, index }, words, maxBytes)
    if (found) return found
    if (attempt === maxAttempts) throw new Error('The search index changes all the time')
    index = await readAgain()
  }
}

/** Reads the occurrences of words. Returns undefined where a block is gone. */
async function tryReadWords(
  { blocks, ownerId, index: { segments } }: IndexToRead & { index: SearchIndex },
  words: WantedWord[],
  maxBytes: number,
): Promise<WordOccurrences[] | undefined> {
  const lists = await blocks.readAll(ownerId, listFirstWordsIds(segments))
  if (!lists) return undefined
  const plans = words.map((wanted) => planReads(segments, lists, wanted))
  if (plans.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes) throw new TooManyBlocksError()
  const read = await readPlans(blocks, ownerId, plans)
  if (!read) return undefined
  const pause = createTimeSlices()
  const results: WordOccurrences[] = []
  for (const [index, { word, isPrefix }] of words.entries()) {
    const wanted = Buffer.from(word)
    const found: WordOccurrences = new Map()
    for (const id of plans[index]?.ids ?? []) {
      for (const entry of findInBlock(read.get(id) ?? noBytes, wanted, { isPrefix })) addPostings(found, entry)
      await pause()
    }
    results.push(found)
  }
  return results
}

const noBytes = new Uint8Array()

/** Returns all blocks of the plans by their ids, or undefined where one is gone. */
async function readPlans(
  blocks: BlockCache,
  ownerId: string,
  plans: ReadPlan[],
): Promise<Map<string, Uint8Array> | undefined> {
  const ids = [...new Set(plans.flatMap((plan) => plan.ids))]
  const all = new Map<string, Uint8Array>()
  for (let start = 0; start < ids.length; start += blocksPerRead) {
    const read = await blocks.readAll(ownerId, ids.slice(start, start + blocksPerRead))
    if (!read) return undefined
    for (const [id, block] of read) all.set(id, block)
  }
  return all
}

async function listNames(
  { blocks, ownerId, index }: IndexToRead,
  keys: string[][],
  maxBytes: number,
): Promise<NameList[]> {
  const { segments = [] } = index ?? {}
  const lists = (await blocks.readAll(ownerId, listFirstWordsIds(segments))) ?? new Map<string, Uint8Array>()
  const pause = createTimeSlices()
  const found: NameList[] = []
  let left = maxBytes
  for (const prefixes of keys.map((ofName) => ofName.map(soundPrefix))) {
    const plans = prefixes.map((prefix) => planReads(segments, lists, { word: prefix, isPrefix: true }))
    left -= plans.reduce((sum, { bytes }) => sum + bytes, 0)
    // If there is too much to read, or a block has disappeared in the meantime, fewer names are listed.
    const read = left < 0 ? undefined : await readPlans(blocks, ownerId, plans)
    const names = createNameCollector()
    for (const [index, prefix] of prefixes.entries()) {
      for (const id of plans[index]?.ids ?? []) {
        const block = read?.get(id)
        if (!block) continue
        names.addBlock(id, block, prefix)
        await pause()
      }
    }
    found.push(names.toList(read ? segments.map(({ id }) => id) : []))
  }
  return found
}

async function listWords(
  { blocks, ownerId, index }: IndexToRead,
  prefix: string,
  maxBytes: number,
): Promise<Map<string, number>> {
  const words = new Map<string, number>()
  const pause = createTimeSlices()
  const { segments = [] } = index ?? {}
  const lists = await blocks.readAll(ownerId, listFirstWordsIds(segments))
  const { ids, bytes } = planReads(segments, lists ?? new Map(), { word: prefix, isPrefix: true })
  const affordable = ids.slice(0, Math.floor(ids.length * Math.min(1, maxBytes / Math.max(1, bytes))))
  for (let start = 0; start < affordable.length; start += blocksPerRead) {
    // If a block has disappeared in the meantime, fewer words are listed.
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

function addPostings(found: WordOccurrences, entry: Occurrences): void {
  for (const { ordinal, bytes, from, to } of readPostings(entry)) {
    const occurrences = found.get(ordinal)
    if (occurrences) occurrences.push({ bytes, from, to })
    else found.set(ordinal, [{ bytes, from, to }])
  }
}
